package palyra.shared.wasm;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the binary format (WebAssembly core specification, section 5.2) strictly: a number that is
 * too long or has unused bits set is malformed, and nothing is read past the end. Not thread-safe.
 */
final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    ByteReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    int at() {
        return at;
    }

    int end() {
        return end;
    }

    boolean more() {
        return at < end;
    }

    int left() {
        return end - at;
    }

    /** Returns the next byte, 0 to 255. */
    int u8() {
        if (at >= end) {
            throw malformed("more bytes are needed");
        }
        return bytes[at++] & 0xFF;
    }

    /** Returns the next byte without moving on. */
    int peek() {
        if (at >= end) {
            throw malformed("more bytes are needed");
        }
        return bytes[at] & 0xFF;
    }

    /** Moves on. */
    void skip(int count) {
        if (count < 0 || count > end - at) {
            throw malformed("more bytes are needed");
        }
        at += count;
    }

    /** Reads an unsigned number of at most 32 bits; it may be negative as a Java int. */
    int u32() {
        int value = u8();
        if (value < 0x80) {
            return value;
        }
        value &= 0x7F;
        for (int shift = 7; ; shift += 7) {
            int next = u8();
            if (shift == 28 && (next & 0xF0) != 0) {
                throw malformed("a number has more than 32 bits");
            }
            value |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
    }

    /** Reads an index or a size that fits into a Java int. */
    int index(String what) {
        int value = u32();
        if (value < 0) {
            throw malformed(what + " " + Integer.toUnsignedLong(value) + " is out of range");
        }
        return value;
    }

    /** Reads a signed number of at most {@code bits} bits: 32, 33 or 64. */
    long signed(int bits) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (shift + 7 >= bits) {
                return last(value, next, bits - shift, bits);
            }
            if (next < 0x80) {
                return extended(value, shift + 7);
            }
        }
    }

    /** The last byte there may be: bits beyond the number repeat its sign. */
    private long last(long value, int next, int used, int bits) {
        int rest = next >> (used - 1);
        if (next >= 0x80 || (rest != 0 && rest != 0x7F >> (used - 1))) {
            throw malformed("a number has more than " + bits + " bits");
        }
        return extended(value, bits);
    }

    private static long extended(long value, int bits) {
        return value << (64 - bits) >> (64 - bits);
    }

    /** Reads a name: UTF-8 with its length before it. */
    String name(int mostBytes) {
        int length = index("the length of a name");
        int start = at;
        skip(length);
        if (length > mostBytes) {
            throw new ModuleException(
                    Reason.LIMIT + "name",
                    "a name at offset "
                            + start
                            + " has "
                            + length
                            + " bytes, at most "
                            + mostBytes
                            + " are admitted");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, start, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("a name is not UTF-8");
        }
    }

    /** Returns the exception for something malformed here. */
    ModuleException malformed(String what) {
        return new ModuleException(Reason.MALFORMED, "malformed at offset " + at + ": " + what);
    }
}
