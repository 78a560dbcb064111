package palyra.sandbox.tierc.macos.internal.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a command to its egress proxy. The proxy bounds it in time and bytes; this
 * class bounds only what happens before the secret was given. Closing from any thread cuts it.
 */
final class BridgeConnection implements AutoCloseable {
    /** How long the head of a request may take, and how long a client may be silent within it. */
    static final int HEAD_MILLIS = 10_000;

    private static final int BUFFER = 64 << 10;
    private static final int LINGER_SECONDS = 5;
    private static final long LONGEST_MINUTES = 60;
    private static final byte[] UNKNOWN =
            ("HTTP/1.1 407 Proxy Authentication Required\r\n"
                            + "Proxy-Authenticate: Basic realm=\"palyra\"\r\n"
                            + "Content-Length: 0\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MALFORMED =
            "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_PROXY =
            "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final Socket client;
    private final Path proxy;
    private final String secret;
    private volatile SocketChannel upstream; // set once, by the thread that serves
    private volatile boolean closed;

    BridgeConnection(Socket client, Path proxy, String secret) {
        this.client = client;
        this.proxy = proxy;
        this.secret = secret;
    }

    /** Serves the connection until one side ends it; {@code back} is started for the answers. */
    void serve(Thread back) {
        try {
            client.setSoTimeout(HEAD_MILLIS);
            client.setTcpNoDelay(true);
            InputStream in = new java.io.BufferedInputStream(client.getInputStream(), BUFFER);
            RequestHead head = RequestHead.read(in, HEAD_MILLIS);
            if (!head.holds(Bridge.USER, secret)) {
                answer(UNKNOWN);
                return;
            }
            client.setSoTimeout(0); // from here on the proxy has the say
            if (connect()) {
                back.start();
                forward(head, in);
                back.join(TimeUnit.MINUTES.toMillis(LONGEST_MINUTES));
            }
        } catch (java.net.SocketTimeoutException e) {
            // it had its time
        } catch (IOException e) {
            answer(MALFORMED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        upstream = channel;
        try {
            channel.connect(UnixDomainSocketAddress.of(proxy));
        } catch (IOException e) {
            answer(NO_PROXY);
            return false;
        }
        if (closed) {
            channel.close(); // closing came between
        }
        return true;
    }

    /** Once the proxy is connected nothing but its own words goes back: errors only end it. */
    private void forward(RequestHead head, InputStream in) {
        try {
            write(ByteBuffer.wrap(head.withoutCredentials()));
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                write(ByteBuffer.wrap(buffer, 0, read));
            }
            upstream.shutdownOutput();
        } catch (IOException e) {
            close();
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            upstream.write(bytes);
        }
    }

    /** Carries answers from the proxy to the client until either ends; then cuts the connection. */
    void pumpBack() {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try (BridgeConnection whole = this) {
            OutputStream out = whole.client.getOutputStream();
            while (upstream.read(buffer) >= 0) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            client.setSoLinger(true, LINGER_SECONDS); // the end of the answer is still on its way
            client.shutdownOutput();
        } catch (IOException e) {
            // one side is gone: the other is cut as well
        }
    }

    private void answer(byte[] head) {
        try {
            client.getOutputStream().write(head);
            client.shutdownOutput();
        } catch (IOException e) {
            // the client does not want to know
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            client.close();
            SocketChannel channel = upstream;
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // it is being given up
        }
    }
}
