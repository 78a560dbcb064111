package palyra.shared.wasm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the binary format, numbers as short as can be. Not thread-safe. */
public final class ByteWriter {
    private byte[] bytes;
    private int length;

    /** Creates one for about so many bytes; it grows. */
    public ByteWriter(int expected) {
        bytes = new byte[Math.max(16, expected)];
    }

    /** Returns how many bytes were written. */
    public int length() {
        return length;
    }

    /** Returns a copy of what was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Forgets what was written. */
    public void clear() {
        length = 0;
    }

    /** Writes bytes as they are. */
    public ByteWriter u8(int... values) {
        for (int value : values) {
            need(1);
            bytes[length++] = (byte) value;
        }
        return this;
    }

    /** Writes an unsigned 32-bit number. */
    public ByteWriter u32(int value) {
        need(5);
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    /** Writes a signed number. */
    public ByteWriter s64(long value) {
        need(10);
        long rest = value;
        while (rest < -64 || rest > 63) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>= 7;
        }
        bytes[length++] = (byte) (rest & 0x7F);
        return this;
    }

    /** Writes a number of bytes, lowest first: floats. */
    public ByteWriter fixed(long value, int count) {
        need(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** Writes a part of other bytes. */
    public ByteWriter raw(byte[] from, int start, int end) {
        need(end - start);
        System.arraycopy(from, start, bytes, length, end - start);
        length += end - start;
        return this;
    }

    /** Writes what another one wrote. */
    public ByteWriter all(ByteWriter other) {
        return raw(other.bytes, 0, other.length);
    }

    /** Writes a name with its length before it. */
    public ByteWriter name(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return u32(text.length).raw(text, 0, text.length);
    }

    /** Writes what another one wrote with its length before it. */
    public ByteWriter sized(ByteWriter other) {
        return u32(other.length).all(other);
    }

    /** Writes a section, nothing when its body is empty. */
    public ByteWriter section(int id, ByteWriter body) {
        return body.length == 0 ? this : u8(id).sized(body);
    }

    private void need(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
