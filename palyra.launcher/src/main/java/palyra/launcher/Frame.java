package palyra.launcher;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One frame of the command socket: type (1 byte), length of the payload (4 bytes, big-endian),
 * payload. The array is not copied: a frame belongs to whoever made or received it.
 */
record Frame(int type, byte[] payload) {
    static final int REQUEST = 1;
    static final int STDIN = 2;
    static final int SIGNAL = 3;
    static final int RESIZE = 4;
    static final int STDOUT = 16;
    static final int STDERR = 17;
    static final int EXIT = 18;

    static final int HEADER_BYTES = 5;
    static final int LIMIT_BYTES = 1 << 20;

    Frame {
        if (type < 0 || type > 255) {
            throw new IllegalArgumentException("a frame type is one byte: " + type);
        }
        if (payload.length > LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "a frame holds at most " + LIMIT_BYTES + " bytes: " + payload.length);
        }
    }

    static Frame text(int type, String text) {
        return new Frame(type, text.getBytes(StandardCharsets.UTF_8));
    }

    static Frame exit(int code) {
        return new Frame(EXIT, ByteBuffer.allocate(Integer.BYTES).putInt(code).array());
    }

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    int exitCode() throws ProtocolException {
        if (payload.length != Integer.BYTES) {
            throw new ProtocolException(
                    "an exit frame carries 4 bytes: the gateway sent " + payload.length);
        }
        return ByteBuffer.wrap(payload).getInt();
    }

    ByteBuffer encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + payload.length);
        return bytes.put((byte) type).putInt(payload.length).put(payload).flip();
    }
}
