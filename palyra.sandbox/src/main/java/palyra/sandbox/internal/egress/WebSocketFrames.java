package palyra.sandbox.internal.egress;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** The frames of a WebSocket (RFC 6455, section 5), read strictly and written masked. */
final class WebSocketFrames {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** Most bytes of what a control frame carries. */
    static final int MOST_CONTROL_BYTES = 125;

    static final int PROTOCOL_ERROR = 1002;
    static final int NO_STATUS = 1005;
    static final int INVALID_TEXT = 1007;
    static final int TOO_LARGE = 1009;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TWO_BYTES_FOLLOW = 126;
    private static final int EIGHT_BYTES_FOLLOW = 127;
    private static final int MASK_BYTES = 4;
    private static final int MOST_HEAD_BYTES = 14;

    private WebSocketFrames() {}

    /** What the server did wrong, with the code that it is told. */
    static final class BreachException extends IOException {
        private static final long serialVersionUID = 1L;

        private final int code;

        BreachException(int code, String message) {
            super(message);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** A control frame, or a whole message of one kind. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as read
    record Unit(int opcode, byte[] payload) {}

    /** Reads units; control frames come also from between the parts of a message. */
    static final class Reader {
        private final ConnectionInput in;
        private final int maxMessageBytes;
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();
        private int opcode = CONTINUATION; // of the message that has begun

        Reader(ConnectionInput in, int maxMessageBytes) {
            this.in = in;
            this.maxMessageBytes = maxMessageBytes;
        }

        /**
         * Reads the next one.
         *
         * @throws BreachException when the server breaks the protocol
         * @throws EOFException when the connection ends
         */
        Unit next() throws IOException {
            while (true) {
                int first = octet();
                int kind = first & 0x0f;
                boolean last = (first & 0x80) != 0;
                if ((first & 0x70) != 0) {
                    throw breach("a frame has reserved bits");
                }
                if (kind >= CLOSE) {
                    return new Unit(control(kind, last), in.exactly((int) length(true)));
                }
                begin(kind);
                message.writeBytes(in.exactly((int) length(false)));
                if (last) {
                    Unit whole = new Unit(opcode, message.toByteArray());
                    opcode = CONTINUATION;
                    message.reset();
                    return whole;
                }
            }
        }

        private static int control(int kind, boolean last) throws BreachException {
            if (kind > PONG) {
                throw breach("a frame has the unknown kind " + kind);
            }
            if (!last) {
                throw breach("a control frame is in parts");
            }
            return kind;
        }

        private void begin(int kind) throws BreachException {
            if (kind > BINARY) {
                throw breach("a frame has the unknown kind " + kind);
            }
            if (kind == CONTINUATION && opcode == CONTINUATION) {
                throw breach("a frame continues a message that has not begun");
            }
            if (kind != CONTINUATION && opcode != CONTINUATION) {
                throw breach("a message begins within another one");
            }
            opcode = kind == CONTINUATION ? opcode : kind;
        }

        private long length(boolean control) throws IOException {
            int second = octet();
            if ((second & 0x80) != 0) {
                throw breach("a frame of the server is masked");
            }
            if (control && second > MOST_CONTROL_BYTES) {
                throw breach("a control frame has more than 125 bytes");
            }
            long length = second;
            if (second == TWO_BYTES_FOLLOW) {
                length = ByteBuffer.wrap(in.exactly(Short.BYTES)).getShort() & 0xffff;
            } else if (second == EIGHT_BYTES_FOLLOW) {
                length = ByteBuffer.wrap(in.exactly(Long.BYTES)).getLong();
            }
            boolean longer =
                    second == TWO_BYTES_FOLLOW && length < TWO_BYTES_FOLLOW
                            || second == EIGHT_BYTES_FOLLOW && length >= 0 && length <= 0xffff;
            if (length < 0 || longer) {
                throw breach("the length of a frame is not written in its shortest form");
            }
            if (!control && length > maxMessageBytes - message.size()) {
                throw new BreachException(
                        TOO_LARGE, "a message has more than " + maxMessageBytes + " bytes");
            }
            return length;
        }

        private int octet() throws IOException {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the server ended it without a closing handshake");
            }
            return next;
        }
    }

    static BreachException breach(String message) {
        return new BreachException(PROTOCOL_ERROR, message);
    }

    /** Returns text. */
    static String text(byte[] bytes, int offset) throws BreachException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, bytes.length - offset))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BreachException(INVALID_TEXT, "a text is not UTF-8");
        }
    }

    /** Returns a whole frame of a client, masked by a key that cannot be foreseen. */
    static byte[] masked(int opcode, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(MOST_HEAD_BYTES + payload.length);
        frame.put((byte) (0x80 | opcode));
        if (payload.length < TWO_BYTES_FOLLOW) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (0x80 | TWO_BYTES_FOLLOW)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | EIGHT_BYTES_FOLLOW)).putLong(payload.length);
        }
        byte[] key = new byte[MASK_BYTES];
        RANDOM.nextBytes(key);
        frame.put(key);
        for (int at = 0; at < payload.length; at++) {
            frame.put((byte) (payload[at] ^ key[at % MASK_BYTES]));
        }
        byte[] bytes = new byte[frame.flip().remaining()];
        frame.get(bytes);
        return bytes;
    }
}
