package palyra.shell.internal.socket;

import java.nio.ByteBuffer;

/**
 * One frame: type (1 byte), length of the payload (4 bytes, big-endian), payload. The array is not
 * copied.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
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

    static Frame exit(int code) {
        return new Frame(EXIT, ByteBuffer.allocate(Integer.BYTES).putInt(code).array());
    }

    ByteBuffer encoded() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put((byte) type)
                .putInt(payload.length)
                .put(payload)
                .flip();
    }
}
