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
    private static final int BUFFER_BYTES = 64 * 1_024;
    private static final int LOOK_BYTES = 8 * 1_024; // where a binary file shows itself
    private static final long MAX_SCAN_BYTES = 256L * 1_024 * 1_024;

    private final long first;
    private final long lines;
    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long line = 1; // of the next byte
    private long scanned;
    private boolean lineBegun;
    private boolean cut;
    private boolean ended;

    /** Takes {@code lines} lines from line {@code first} on, at most {@code maxBytes} of them. */
    LineWindow(long first, long lines, int maxBytes) {
        this.first = first;
        this.lines = lines;
        this.maxBytes = maxBytes;
    }

    void read(SeekableByteChannel file, BeneathPath path)
            throws IOException, InterruptedException, FileRefusal {
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
            if (scanned < LOOK_BYTES) {
                refuseBinary(buffer.array(), read, path, file.size());
            }
            scanned += read;
            for (int i = 0; i < read; i++) {
                take(buffer.array()[i]);
            }
        }
    }

    private void refuseBinary(byte[] bytes, int length, BeneathPath path, long size)
            throws FileRefusal {
        int end = (int) Math.min(length, Math.max(0, LOOK_BYTES - scanned));
        for (int i = 0; i < end; i++) {
            if (bytes[i] == 0) {
                throw new FileRefusal(
                        FileRefusal.KIND,
                        "'"
                                + FileRefusal.shown(path.toString())
                                + "' is a binary file of "
                                + size
                                + " bytes; this tool reads text.");
            }
        }
    }

    private void take(byte b) {
        if (line >= first && line < first + lines && !cut) {
            if (kept.size() < maxBytes) {
                kept.write(b);
            } else {
                cut = true;
            }
        }
        lineBegun = b != '\n';
        line += b == '\n' ? 1 : 0;
    }

    /** Writes what was found. */
    void describe(ObjectNode output) {
        byte[] bytes = kept.toByteArray();
        int length = cut ? wholeCharacters(bytes) : bytes.length;
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        long keptLines = countLines(bytes, length);
        long total = line - 1 + (lineBegun ? 1 : 0);
        boolean more = cut || !ended || total >= first + lines;
        output.put("content", text);
        output.put("first_line", first);
        output.put("lines", keptLines);
        output.put("truncated", more);
        output.put("cut_within_line", cut && length > 0 && bytes[length - 1] != '\n');
        output.put("invalid_utf8_replaced", !isUtf8(bytes, length));
        if (more) {
            output.put("next_offset", first + wholeLines(bytes, length));
        }
        if (ended) {
            output.put("total_lines", total);
        }
    }

    private static long wholeLines(byte[] bytes, int length) {
        long count = 0;
        for (int i = 0; i < length; i++) {
            count += bytes[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    private static long countLines(byte[] bytes, int length) {
        boolean rest = length > 0 && bytes[length - 1] != '\n';
        return wholeLines(bytes, length) + (rest ? 1 : 0);
    }

    /** Where a text that was cut ends without half a character. */
    private static int wholeCharacters(byte[] bytes) {
        int at = bytes.length;
        for (int back = 1; back <= 3 && back <= bytes.length; back++) {
            int b = bytes[bytes.length - back] & 0xFF;
            if (b >= 0xC0) {
                int needs = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
                return needs > back ? bytes.length - back : at;
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
