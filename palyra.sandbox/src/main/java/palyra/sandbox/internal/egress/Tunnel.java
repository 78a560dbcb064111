package palyra.sandbox.internal.egress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A tunnel for TLS. The server gets no byte before it is certain that they are the hello of a TLS
 * client which asks for the very host that the tunnel was allowed to.
 */
final class Tunnel {
    private static final byte[] READY =
            "HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Framing RAW = new Framing.UntilClose();

    private final ProxyConnection connection;
    private final Function<Runnable, Thread> threads;

    Tunnel(ProxyConnection connection, Function<Runnable, Thread> threads) {
        this.connection = connection;
        this.threads = threads;
    }

    void serve(ProxyRequest request) throws IOException {
        if (!(request.framing() instanceof Framing.None)) {
            throw new MalformedException("CONNECT has no body");
        }
        WebUrl url = request.url();
        OutboundConnection outbound = connection.connect(url.host(), url.port(), request.method());
        connection.out().write(READY);
        connection.awaitHello();
        ClientHello hello = hello(outbound, url.host());
        if (hello == null) {
            return;
        }
        connection.touch();
        OutputStream up = outbound.out(ChannelStreams.out(outbound.channel()));
        connection.parts().quota().take(hello.raw().length);
        up.write(hello.raw());
        relay(outbound, up);
    }

    /** Returns the hello, or null when the connection was cut for it. */
    private ClientHello hello(OutboundConnection outbound, Host host) throws IOException {
        try {
            ClientHello hello = ClientHello.read(connection.in());
            String asked = hello.serverName();
            if (!asked.endsWith(".") && Host.parse(asked).equals(host)) {
                return hello;
            }
            cut("TLS was started for " + DisplayText.text(asked) + ", not for " + host);
        } catch (MalformedException e) {
            cut(e.getMessage());
        } catch (RefusedException e) {
            cut("TLS was started for an invalid host name");
        } catch (EOFException e) {
            outbound.close();
        }
        return null;
    }

    private void cut(String why) {
        connection.countRefusal(Reason.TLS_NAME);
        connection.cut(why);
    }

    private void relay(OutboundConnection outbound, OutputStream up) throws IOException {
        InputStream down = outbound.in(ChannelStreams.in(outbound.channel()));
        Thread other = threads.apply(() -> down(outbound, down));
        other.start();
        try {
            connection.pass(connection.in(), up, RAW);
            half(outbound.channel());
        } catch (IOException e) {
            connection.cut(why(outbound, e));
        }
        await(other);
    }

    private void down(OutboundConnection outbound, InputStream from) {
        try {
            connection.pass(from, connection.out(), RAW);
            half(connection.client());
        } catch (IOException e) {
            connection.cut(why(outbound, e));
        }
    }

    private static String why(OutboundConnection outbound, IOException e) {
        return outbound.broken().orElse(String.valueOf(e.getMessage()));
    }

    private static void half(SocketChannel channel) throws IOException {
        channel.shutdownOutput();
    }

    private static void await(Thread other) {
        try {
            other.join(); // ends by the silence limit at the latest
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
