package palyra.shared.socket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One frame of the command socket: type (1 byte), length of the payload (4 bytes, big-endian),
 * payload. The array is not copied; neither side may change it afterwards.
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record Frame(int type, byte[] payload) {
    public static final int REQUEST = 1;
    public static final int STDIN = 2;
    public static final int SIGNAL = 3;
    public static final int RESIZE = 4;
    public static final int STDOUT = 16;
    public static final int STDERR = 17;
    public static final int EXIT = 18;

    /** Length of type and payload length together. */
    public static final int HEADER_BYTES = 5;

    /** Largest payload. */
    public static final int LIMIT_BYTES = 1 << 20;

    /** Checks type and length. */
    public Frame {
        if (type < 0 || type > 255) {
            throw new IllegalArgumentException("a frame type is one byte: " + type);
        }
        if (payload.length > LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "a frame holds at most " + LIMIT_BYTES + " bytes: " + payload.length);
        }
    }

    /** Returns a frame with a UTF-8 payload. */
    public static Frame text(int type, String text) {
        return new Frame(type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns an exit frame. */
    public static Frame exit(int code) {
        return new Frame(EXIT, ByteBuffer.allocate(Integer.BYTES).putInt(code).array());
    }

    /** Returns the payload as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Returns the code of an exit frame. */
    public int exitCode() throws ProtocolException {
        if (payload.length != Integer.BYTES) {
            throw new ProtocolException(
                    "an exit frame carries 4 bytes: the gateway sent " + payload.length);
        }
        return ByteBuffer.wrap(payload).getInt();
    }

    /** Returns header and payload, ready to be written. */
    public ByteBuffer encoded() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put((byte) type)
                .putInt(payload.length)
                .put(payload)
                .flip();
    }
}
