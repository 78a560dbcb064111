package palyra.testing.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One request and its answer in the making. For the thread of its scene. */
public final class FaultExchange {
    private final Socket socket;
    private final FaultServer.Heard request;
    private final OutputStream out;
    private boolean chunked;
    private boolean broken;

    FaultExchange(Socket socket, FaultServer.Heard request) throws IOException {
        this.socket = socket;
        this.request = request;
        this.out = socket.getOutputStream();
    }

    /** Returns what was asked. */
    public FaultServer.Heard request() {
        return request;
    }

    /** Sends a whole answer. */
    public void answer(int status, String type, String body, String... headers) throws IOException {
        answer(status, type, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Sends a whole answer; one of status 204 has no body. */
    public void answer(int status, String type, byte[] body, String... headers) throws IOException {
        if (status == 204) {
            head("HTTP/1.1 204 As Told\r\n", headers);
            return;
        }
        head(status, type, "Content-Length: " + body.length, headers);
        raw(body);
    }

    /** Begins a stream of events. */
    public FaultExchange stream() throws IOException {
        head(200, "text/event-stream", "Transfer-Encoding: chunked");
        chunked = true;
        return this;
    }

    /**
     * Opens the WebSocket that was asked for, with headers {@code Name: value}.
     *
     * @throws IOException when none was asked for
     */
    public FaultWebSocket webSocket(String... headers) throws IOException {
        String key = request.headers().get("sec-websocket-key");
        if (key == null) {
            throw new IOException("no WebSocket was asked for: " + request.line());
        }
        StringBuilder head = new StringBuilder("HTTP/1.1 101 As Told\r\nUpgrade: websocket\r\n");
        head.append("Connection: Upgrade\r\nSec-WebSocket-Accept: ");
        head.append(FaultWebSocket.accept(key)).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        raw(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        return new FaultWebSocket(this, socket);
    }

    private void head(int status, String type, String framing, String... headers)
            throws IOException {
        String first = "HTTP/1.1 " + status + " As Told\r\nContent-Type: " + type + "\r\n";
        head(first + framing + "\r\n", headers);
    }

    private void head(String first, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(first).append("Connection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        raw(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Sends text as one chunk of the stream. */
    public FaultExchange send(String... pieces) throws IOException {
        for (String piece : pieces) {
            send(piece.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    /** Sends bytes as one chunk of the stream. */
    public FaultExchange send(byte[] bytes) throws IOException {
        if (chunked) {
            raw(
                    String.format(Locale.ROOT, "%x\r\n", bytes.length)
                            .getBytes(StandardCharsets.US_ASCII));
        }
        raw(bytes);
        if (chunked) {
            raw(new byte[] {'\r', '\n'});
        }
        return this;
    }

    /** Sends text in chunks of one byte each. */
    public FaultExchange drip(String... pieces) throws IOException {
        for (byte b : String.join("", pieces).getBytes(StandardCharsets.UTF_8)) {
            send(new byte[] {b});
        }
        return this;
    }

    /** Sends bytes as they are, outside of any framing. */
    public void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Says nothing until the client leaves. */
    public void stall() throws IOException {
        broken = true;
        while (socket.getInputStream().read() >= 0) {
            // the rest of the request
        }
    }

    /** Ends the connection at once, with a reset. */
    public void reset() throws IOException {
        broken = true;
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Ends the connection in good order, but not the stream. */
    public void truncate() throws IOException {
        broken = true;
        socket.close();
    }

    /** Ends the stream and the connection, unless that happened already. */
    void end() throws IOException {
        if (broken) {
            return;
        }
        if (chunked) {
            raw("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        socket.shutdownOutput();
    }
}
