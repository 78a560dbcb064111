package palyra.sandbox.internal.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** What a sandboxed command can send to its proxy: anything. */
final class ProxyClient implements AutoCloseable {
    final SocketChannel channel;
    final InputStream in;
    final OutputStream out;

    ProxyClient(EgressProxy proxy) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(
                UnixDomainSocketAddress.of(Path.of(proxy.folder()).resolve(SocketFolders.SOCKET)));
        in = ChannelStreams.in(channel);
        out = ChannelStreams.out(channel);
    }

    /** Sends a text and returns everything that comes back until the end. */
    static String exchange(EgressProxy proxy, String request) throws IOException {
        try (ProxyClient client = new ProxyClient(proxy)) {
            client.send(request);
            return client.rest();
        }
    }

    static int status(EgressProxy proxy, String request) throws IOException {
        String answer = exchange(proxy, request);
        return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    static String get(String url) {
        return "GET " + url + " HTTP/1.1\r\nHost: whatever.test\r\n\r\n";
    }

    /** Opens a tunnel and returns the head of the answer. */
    String connect(String place) throws IOException {
        send("CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n\r\n");
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes, 0, bytes.length);
    }

    /** Returns what still comes; a connection that is cut ends there. */
    String rest() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[65_536];
        try {
            for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                all.write(buffer, 0, got);
            }
        } catch (IOException e) {
            // cut
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
