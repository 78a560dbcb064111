package palyra.testing.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * The server's end of a WebSocket that does as it is told, also what no server may. One thread
 * receives; any may send. What it gets must be a client's: a frame that is not masked is an {@code
 * IOException}.
 */
public final class FaultWebSocket {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;

    /**
     * A frame of the client.
     *
     * @param first its first byte: bit of the last frame, and kind
     * @param payload what it carries, unmasked
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as read
    public record Frame(int first, byte[] payload) {}

    private final FaultExchange exchange;
    private final Socket socket;
    private final DataInputStream in;

    FaultWebSocket(FaultExchange exchange, Socket socket) throws IOException {
        this.exchange = exchange;
        this.socket = socket;
        in = new DataInputStream(socket.getInputStream());
    }

    /** Returns what a server proves with that it read the client's key. */
    static String accept(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-1")
                                    .digest(
                                            (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                                    .getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /**
     * Waits for the client's next message and returns it as text; pings are answered meanwhile.
     * Empty when the client closes, which is answered with the client's code.
     *
     * @throws IOException when the client leaves without closing
     */
    public Optional<String> receive() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            Frame frame = frame();
            switch (frame.first() | 0x80) {
                case PING -> send(PONG, frame.payload());
                case PONG -> {} // a sign of life
                case CLOSE -> {
                    send(CLOSE, frame.payload());
                    return Optional.empty();
                }
                default -> {
                    message.writeBytes(frame.payload());
                    if ((frame.first() & 0x80) != 0) {
                        return Optional.of(message.toString(StandardCharsets.UTF_8));
                    }
                }
            }
        }
    }

    /** Waits for the client's next frame; nothing is answered. */
    public Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        if ((second & 0x80) == 0) {
            throw new IOException("a frame of the client is not masked");
        }
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        byte[] key = new byte[4];
        in.readFully(key);
        byte[] payload = in.readNBytes(Math.toIntExact(length));
        if (payload.length < length) {
            throw new EOFException("the client left within a frame");
        }
        for (int at = 0; at < payload.length; at++) {
            payload[at] ^= key[at % key.length];
        }
        return new Frame(first, payload);
    }

    /** Sends a text. */
    public void send(String text) throws IOException {
        send(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes. */
    public void sendBinary(byte[] bytes) throws IOException {
        send(BINARY, bytes);
    }

    /** Sends a ping. */
    public void ping() throws IOException {
        send(PING, new byte[0]);
    }

    /** Sends a closing frame; the connection stays until the scene ends. */
    public void close(int code, String reason) throws IOException {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        send(CLOSE, ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array());
    }

    /** Sends a frame that begins with a byte, whether it may or not. */
    public void send(int first, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(10 + payload.length).put((byte) first);
        if (payload.length < 126) {
            frame.put((byte) payload.length);
        } else if (payload.length <= 0xffff) {
            frame.put((byte) 126).putShort((short) payload.length);
        } else {
            frame.put((byte) 127).putLong(payload.length);
        }
        byte[] bytes = new byte[frame.put(payload).flip().remaining()];
        frame.get(bytes);
        raw(bytes);
    }

    /** Sends bytes as they are, such as garbage or half a frame. */
    public synchronized void raw(byte[] bytes) throws IOException {
        exchange.raw(bytes);
    }

    /** Says nothing more until the client leaves. */
    public void stall() throws IOException {
        exchange.stall();
    }

    /** Ends the connection at once, with a reset. */
    public void drop() throws IOException {
        exchange.reset();
    }

    /** Ends the connection without a closing frame. */
    public void leave() throws IOException {
        exchange.truncate();
    }

    /** Returns whether this end is open. */
    public boolean isOpen() {
        return !socket.isClosed();
    }
}
