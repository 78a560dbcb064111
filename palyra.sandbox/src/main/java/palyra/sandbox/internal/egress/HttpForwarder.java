package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One plain HTTP request through a proxy. Its head is rewritten: {@code Host} is that of the URL,
 * fields of one hop are left out, and the connection ends with the response, so that nothing can
 * hide behind a request.
 */
final class HttpForwarder {
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_INTERIM = 16;

    private final ProxyConnection connection;

    HttpForwarder(ProxyConnection connection) {
        this.connection = connection;
    }

    void serve(ProxyRequest request) throws IOException {
        WebUrl url = request.url();
        OutboundConnection outbound = connection.connect(url.host(), url.port(), request.method());
        OutputStream up = outbound.out(ChannelStreams.out(outbound.channel()));
        write(up, head(request));
        if (request.head().only("expect").equalsIgnoreCase("100-continue")) {
            connection.out().write(CONTINUE);
        }
        Framing framing = request.framing();
        connection.pass(framing.body(connection.in()), up, framing);
        framing.end(up);
        forwardResponse(
                request, new ConnectionInput(outbound.in(ChannelStreams.in(outbound.channel()))));
    }

    private void write(OutputStream to, Head head) throws IOException {
        byte[] bytes = head.bytes();
        connection.parts().quota().take(bytes.length);
        to.write(bytes);
        connection.touch();
    }

    private static Head head(ProxyRequest request) {
        List<Head.Field> fields = new ArrayList<>();
        fields.add(new Head.Field("Host", request.url().hostField()));
        fields.addAll(request.head().endToEnd());
        fields.addAll(request.framing().field());
        fields.add(new Head.Field("Connection", "close"));
        return new Head(request.method() + " " + request.url().target() + " HTTP/1.1", fields);
    }

    private void forwardResponse(ProxyRequest request, ConnectionInput in) throws IOException {
        try {
            Head head = finalHead(in);
            int status = HttpExchange.status(head);
            Framing from = Framing.ofResponse(head, request.method(), status);
            boolean unchunk = request.old() && from instanceof Framing.Chunked;
            Framing framing = unchunk ? new Framing.UntilClose() : from;
            List<Head.Field> fields = new ArrayList<>(head.endToEnd());
            fields.addAll(framing instanceof Framing.None ? length(head) : framing.field());
            fields.add(new Head.Field("Connection", "close"));
            write(connection.out(), new Head(head.start(), fields));
            connection.pass(from.body(in), connection.out(), framing);
            framing.end(connection.out());
        } catch (MalformedException e) {
            throw new IOException("the server's response is not HTTP/1.1: " + e.getMessage(), e);
        }
    }

    /** A response without a body may still tell how long one would be. */
    private static List<Head.Field> length(Head head) throws MalformedException {
        String length = head.only("content-length");
        return length.isEmpty() ? List.of() : List.of(new Head.Field("Content-Length", length));
    }

    private static Head finalHead(ConnectionInput in) throws IOException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            Head head = Head.read(in);
            if (HttpExchange.status(head) >= 200) {
                return head;
            }
        }
        throw new MalformedException("there were too many interim responses");
    }
}
