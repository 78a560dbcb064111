package palyra.skills.engine.wasmtime.internal.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the body of a frame; an invalid body is a {@link ProtocolException}. */
final class BodyReader {
    private final Kind kind;
    private final ByteBuffer in;

    BodyReader(Frame frame) {
        this.kind = frame.kind();
        this.in = ByteBuffer.wrap(frame.body());
    }

    private void need(int bytes) throws ProtocolException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new ProtocolException("a body of " + kind + " is cut off");
        }
    }

    int number() throws ProtocolException {
        need(Integer.BYTES);
        return in.getInt();
    }

    long large() throws ProtocolException {
        need(Long.BYTES);
        return in.getLong();
    }

    /** Reads a number from 0 to {@code most}. */
    int count(int most) throws ProtocolException {
        int count = number();
        if (count < 0 || count > most) {
            throw new ProtocolException("a body of " + kind + " says " + count + ", of " + most);
        }
        return count;
    }

    boolean flag() throws ProtocolException {
        need(1);
        return in.get() != 0;
    }

    String text() throws ProtocolException {
        int length = number();
        need(length);
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    byte[] rest() throws ProtocolException {
        try {
            byte[] rest = new byte[in.remaining()];
            in.get(rest);
            return rest;
        } catch (BufferUnderflowException e) {
            throw new ProtocolException("a body of " + kind + " is cut off");
        }
    }

    /** Returns a value when nothing is left. */
    <T> T end(T value) throws ProtocolException {
        if (in.hasRemaining()) {
            throw new ProtocolException("a body of " + kind + " is too long");
        }
        return value;
    }
}
