package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Some lines of a file, and how many there are. For one use. */
final class LineWindow {
    /** Most bytes of a file that are looked at. */
    static final long MAX_SCAN_BYTES = 256L * 1_024 * 1_024;

    private static final int BUFFER_BYTES = 64 * 1_024;

    /** Most bytes that a text may have as JSON, so that the result is not too large. */
    private static final int MAX_JSON_BYTES = 220_000;

    private static final int JSON_BYTES_OF_INVALID = 3; // U+FFFD

    private final long first;
    private final long lines;
    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long line = 1; // of the next byte
    private long scanned;
    private int json;
    private boolean lineBegun;
    private boolean cut;
    private boolean ended;

    /** Takes {@code lines} lines from line {@code first} on, at most {@code maxBytes} of them. */
    LineWindow(long first, long lines, int maxBytes) {
        this.first = first;
        this.lines = lines;
        this.maxBytes = maxBytes;
    }

    /** Reads on from where the file is, to its end if that is not too far. */
    void read(SeekableByteChannel file, BeneathPath path) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (scanned < MAX_SCAN_BYTES) {
            if (Thread.interrupted()) {
                throw new InterruptedException("reading " + path + " was asked to stop");
            }
            int read = file.read(buffer.clear());
            if (read < 0) {
                ended = true;
                return;
            }
            scanned += read;
            for (int i = 0; i < read; i++) {
                take(buffer.array()[i]);
            }
        }
    }

    private void take(byte b) {
        if (line >= first && line < first + lines && !cut) {
            json += jsonBytes(b);
            if (kept.size() < maxBytes && json <= MAX_JSON_BYTES) {
                kept.write(b);
            } else {
                cut = true;
            }
        }
        lineBegun = b != '\n';
        line += b == '\n' ? 1 : 0;
    }

    private static int jsonBytes(byte b) {
        boolean named = b == '"' || b == '\\' || b == '\n' || b == '\r' || b == '\t';
        return named ? 2 : b >= 0 && b < ' ' ? 6 : 1;
    }

    /** Returns how many lines were read over. */
    long total() {
        return line - 1 + (lineBegun ? 1 : 0);
    }

    /** Writes what was found; {@code numbered} is whether the first byte read was the file's. */
    void describe(ObjectNode output, boolean numbered) {
        byte[] bytes = kept.toByteArray();
        int length = cut ? wholeCharacters(bytes, bytes.length) : bytes.length;
        boolean valid = isUtf8(bytes, length);
        if (!valid && length > MAX_JSON_BYTES / JSON_BYTES_OF_INVALID) {
            cut = true;
            length = wholeCharacters(bytes, MAX_JSON_BYTES / JSON_BYTES_OF_INVALID);
        }
        boolean withinLine = cut && length > 0 && bytes[length - 1] != '\n';
        boolean more = cut || !ended || total() >= first + lines;
        output.put("content", new String(bytes, 0, length, StandardCharsets.UTF_8));
        output.put("lines", wholeLines(bytes, length) + (rest(bytes, length) ? 1 : 0));
        output.put("truncated", more);
        output.put("cut_within_line", withinLine);
        output.put("invalid_utf8_replaced", !valid);
        if (numbered) {
            output.put("first_line", first);
            if (more) {
                long whole = wholeLines(bytes, length);
                output.put("next_from", first + Math.max(whole, withinLine ? 1 : 0));
            }
            if (ended) {
                output.put("total_lines", total());
                if (first > 1 && first > total()) {
                    output.put(
                            "hint",
                            "The file has "
                                    + total()
                                    + " lines, and line "
                                    + first
                                    + " was asked for; give from up to "
                                    + Math.max(1, total())
                                    + ", or below 0 to count from the end.");
                }
            }
        }
    }

    private static long wholeLines(byte[] bytes, int length) {
        long count = 0;
        for (int i = 0; i < length; i++) {
            count += bytes[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    private static boolean rest(byte[] bytes, int length) {
        return length > 0 && bytes[length - 1] != '\n';
    }

    /** Where a text that was cut ends without half a character. */
    private static int wholeCharacters(byte[] bytes, int at) {
        for (int back = 1; back <= 3 && back <= at; back++) {
            int b = bytes[at - back] & 0xFF;
            if (b >= 0xC0) {
                int needs = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
                return needs > back ? at - back : at;
            }
            if (b < 0x80) {
                return at;
            }
        }
        return at;
    }

    private static boolean isUtf8(byte[] bytes, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
