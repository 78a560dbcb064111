package palyra.vault.internal.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins fields so that different lists of fields never give the same bytes: texts and byte strings
 * stand behind their length as an unsigned 64-bit big-endian number, numbers have 64 bits.
 */
public final class Framing {
    private final List<byte[]> parts = new ArrayList<>();
    private int length;

    /** Begins with a tag that says what the fields are for; it has no length before it. */
    public Framing(String tag) {
        raw(tag.getBytes(StandardCharsets.US_ASCII));
    }

    private void raw(byte[] bytes) {
        parts.add(bytes);
        length += bytes.length;
    }

    /** Adds a text as UTF-8. */
    public Framing text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes; they are not copied before {@link #done}. */
    public Framing bytes(byte[] value) {
        number(value.length);
        raw(value);
        return this;
    }

    /** Adds a number. */
    public Framing number(long value) {
        raw(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    /** Returns the joined bytes. */
    public byte[] done() {
        ByteBuffer all = ByteBuffer.allocate(length);
        parts.forEach(all::put);
        return all.array();
    }
}
