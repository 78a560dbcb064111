package palyra.sandbox.internal.egress;

import static palyra.sandbox.internal.egress.WebSocketFrames.BINARY;
import static palyra.sandbox.internal.egress.WebSocketFrames.CLOSE;
import static palyra.sandbox.internal.egress.WebSocketFrames.MOST_CONTROL_BYTES;
import static palyra.sandbox.internal.egress.WebSocketFrames.NO_STATUS;
import static palyra.sandbox.internal.egress.WebSocketFrames.PING;
import static palyra.sandbox.internal.egress.WebSocketFrames.PONG;
import static palyra.sandbox.internal.egress.WebSocketFrames.TEXT;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.egress.WebSocketConnection;
import palyra.sandbox.internal.egress.WebSocketFrames.BreachException;

/** A WebSocket that is open. */
final class OpenWebSocket implements WebSocketConnection {
    private static final int NORMAL = 1000;
    private static final long CLOSING_MILLIS = 5_000;
    private static final int CODE_BYTES = 2;

    private final OpenTunnel tunnel;
    private final String protocol;
    private final WebSocketFrames.Reader reader;
    private final ReentrantLock receiving = new ReentrantLock();
    private final ReentrantLock sending = new ReentrantLock();
    private final AtomicReference<byte[]> pong = new AtomicReference<>(); // null: none is due
    private volatile boolean closing; // set under sending: nothing is sent any more

    OpenWebSocket(OpenTunnel tunnel, ConnectionInput in, String protocol, int maxMessageBytes) {
        this.tunnel = tunnel;
        this.protocol = protocol;
        reader = new WebSocketFrames.Reader(in, maxMessageBytes);
    }

    OpenTunnel tunnel() {
        return tunnel;
    }

    @Override
    public Message receive() throws IOException {
        receiving.lock();
        try {
            while (true) {
                WebSocketFrames.Unit unit = reader.next();
                switch (unit.opcode()) {
                    case TEXT -> {
                        return new Message.Text(WebSocketFrames.text(unit.payload(), 0));
                    }
                    case BINARY -> {
                        return new Message.Binary(unit.payload());
                    }
                    case CLOSE -> {
                        return closedBy(unit.payload());
                    }
                    case PING -> {
                        pong.set(unit.payload());
                        answer();
                    }
                    default -> {} // an answer to a ping is a sign of life and no more
                }
            }
        } catch (BreachException e) {
            end(e.code());
            tunnel.fail(e.getMessage());
            throw new IOException(
                    "The WebSocket of " + tunnel.place() + " is over: " + e.getMessage() + ".", e);
        } catch (EOFException e) {
            tunnel.fail(e.getMessage());
            throw new IOException(
                    "The WebSocket of " + tunnel.place() + " is over: " + e.getMessage() + ".", e);
        } finally {
            receiving.unlock();
        }
    }

    private Message closedBy(byte[] payload) throws IOException {
        int code = NO_STATUS;
        String reason = "";
        if (payload.length > 0) {
            code = payload.length < CODE_BYTES ? 0 : ByteBuffer.wrap(payload).getShort() & 0xffff;
            if (!mayBeReceived(code)) {
                throw WebSocketFrames.breach("the closing frame has an invalid status code");
            }
            reason = WebSocketFrames.text(payload, CODE_BYTES);
        }
        end(code);
        tunnel.close();
        return new Message.Closed(code, reason);
    }

    private static boolean mayBeReceived(int code) {
        return code >= 1000 && code <= 1014 && code != 1004 && code != NO_STATUS && code != 1006
                || code >= 3000 && code <= 4999;
    }

    /** Tells the server as the last thing that it is over, if it takes that soon. */
    private void end(int code) {
        tunnel.endWithin(CLOSING_MILLIS, "the server did not take the closing frame");
        try {
            if (sending.tryLock()) {
                try {
                    sendClosing(code, "");
                    tunnel.out().close();
                } finally {
                    sending.unlock();
                }
            }
        } catch (IOException e) {
            // it is over either way
        }
    }

    /** Under {@link #sending}. */
    private void sendClosing(int code, String reason) throws IOException {
        if (closing) {
            return;
        }
        closing = true;
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte[] payload =
                code == NO_STATUS
                        ? new byte[0]
                        : ByteBuffer.allocate(CODE_BYTES + text.length)
                                .putShort((short) code)
                                .put(text)
                                .array();
        tunnel.out().write(WebSocketFrames.masked(CLOSE, payload));
    }

    @Override
    public void sendText(String text) throws IOException {
        Require.present(text, "text of a message");
        send(TEXT, utf8(text));
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A text to be sent has half a character; send whole ones.",
                    e);
        }
    }

    @Override
    public void sendBinary(byte[] bytes) throws IOException {
        send(BINARY, bytes);
    }

    @Override
    public void ping(byte[] bytes) throws IOException {
        Require.that(
                bytes.length <= MOST_CONTROL_BYTES,
                "a ping has " + bytes.length + " bytes: use at most " + MOST_CONTROL_BYTES);
        send(PING, bytes);
    }

    private void send(int opcode, byte[] payload) throws IOException {
        sending.lock();
        try {
            if (closing) {
                throw new IOException(
                        "The WebSocket of "
                                + tunnel.place()
                                + " is being closed; nothing is sent.");
            }
            tunnel.out().write(WebSocketFrames.masked(opcode, payload));
        } finally {
            sending.unlock();
        }
        answer();
    }

    /** Answers the latest ping; who sends just now does it afterwards, so that reading goes on. */
    private void answer() throws IOException {
        while (pong.get() != null && sending.tryLock()) {
            try {
                byte[] due = pong.getAndSet(null);
                if (due != null && !closing) {
                    tunnel.out().write(WebSocketFrames.masked(PONG, due));
                }
            } finally {
                sending.unlock();
            }
        }
    }

    @Override
    public void close(int code, String reason) throws IOException {
        Require.that(
                code == NORMAL
                        || code == 1001
                        || code == 1003
                        || code >= 1007 && code <= 1011
                        || code >= 3000 && code <= 4999,
                "a WebSocket is closed with the code "
                        + code
                        + ": use 1000, 1001, 1003, 1007 to 1011, or 3000 to 4999");
        int length = utf8(Require.orEmpty(reason)).length;
        Require.that(
                length <= MOST_CONTROL_BYTES - CODE_BYTES,
                "the reason for closing has " + length + " bytes: use at most 123");
        sending.lock();
        try {
            if (!closing) {
                tunnel.endWithin(CLOSING_MILLIS, "the server did not close in time");
                sendClosing(code, Require.orEmpty(reason));
            }
        } finally {
            sending.unlock();
        }
    }

    @Override
    public String address() {
        return tunnel.address();
    }

    @Override
    public String protocol() {
        return protocol;
    }

    @Override
    public Optional<String> closed() {
        return tunnel.closed();
    }

    @Override
    public void close() {
        if (tunnel.closed().isEmpty()) {
            end(NORMAL);
        }
        tunnel.close();
    }
}
