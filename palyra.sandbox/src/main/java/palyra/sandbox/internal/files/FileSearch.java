package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One search: looks at each file and keeps the lines that match. For one use. */
final class FileSearch implements TreeWalk.Visitor {
    private static final int MAX_FILE_BYTES = 4 * 1_024 * 1_024;
    private static final int MAX_LINE = 100_000; // characters of a line that are looked at
    private static final int SHOWN = 400; // characters of a line that are given back
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final BeneathPath start;
    private final Pattern pattern;
    private final Glob glob;
    private final int limit;
    private final long deadlineNanos;
    private final ArrayNode matches = JsonNodeFactory.instance.arrayNode();
    private int searched;
    private int skipped;
    private boolean late;
    private boolean full;

    FileSearch(BeneathPath start, Pattern pattern, Glob glob, int limit, long deadlineNanos) {
        this.start = start;
        this.pattern = pattern;
        this.glob = glob;
        this.limit = limit;
        this.deadlineNanos = deadlineNanos;
    }

    void outOfTime() {
        late = true;
    }

    @Override
    public boolean entry(OpenFolder folder, BeneathPath path, PosixFileAttributes found)
            throws InterruptedException {
        if (found.isDirectory() || !glob.matches(relative(path))) {
            return true;
        }
        DeadlineText.look(deadlineNanos);
        if (!found.isRegularFile() || found.size() > MAX_FILE_BYTES) {
            skipped++;
            return true;
        }
        byte[] content;
        try (SeekableByteChannel file = folder.read(path.name(), path)) {
            content = bytes(file);
        } catch (IOException | FileRefusal e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the search was asked to stop");
            }
            skipped++; // not readable, or not any more what it was
            return true;
        }
        if (isBinary(content)) {
            skipped++;
            return true;
        }
        searched++;
        lines(path, new String(content, StandardCharsets.UTF_8));
        return !full;
    }

    private String relative(BeneathPath path) {
        return String.join("/", path.names().subList(start.names().size(), path.names().size()));
    }

    private static byte[] bytes(SeekableByteChannel file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (bytes.size() <= MAX_FILE_BYTES && file.read(buffer.clear()) >= 0) {
            bytes.write(buffer.array(), 0, buffer.position());
        }
        return bytes.toByteArray();
    }

    private static boolean isBinary(byte[] content) {
        int end = Math.min(content.length, 8_192);
        for (int i = 0; i < end; i++) {
            if (content[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private void lines(BeneathPath path, String text) {
        int number = 1;
        int from = 0;
        while (from < text.length() && !full) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            int stripped = end > from && text.charAt(end - 1) == '\r' ? end - 1 : end;
            line(path, number++, text.substring(from, Math.min(stripped, from + MAX_LINE)));
            from = end + 1;
        }
    }

    private void line(BeneathPath path, int number, String line) {
        DeadlineText.look(deadlineNanos);
        Matcher matcher = pattern.matcher(new DeadlineText(line, deadlineNanos));
        if (!matcher.find()) {
            return;
        }
        if (matches.size() >= limit) {
            full = true;
            return;
        }
        int from = Math.max(0, Math.min(matcher.start(), line.length() - SHOWN));
        from = line.length() <= SHOWN ? 0 : from;
        int end = Math.min(line.length(), from + SHOWN);
        matches.addObject()
                .put("path", path.toString())
                .put("line", number)
                .put("column", matcher.start() + 1)
                .put("text", whole(line.substring(from, end)))
                .put("text_cut", end - from < line.length());
    }

    /** Without halves of characters at the ends, which no JSON can hold. */
    private static String whole(String part) {
        String text = part;
        if (!text.isEmpty() && Character.isLowSurrogate(text.charAt(0))) {
            text = text.substring(1);
        }
        int last = text.length() - 1;
        return last >= 0 && Character.isHighSurrogate(text.charAt(last))
                ? text.substring(0, last)
                : text;
    }

    void describe(ObjectNode output) {
        output.set("matches", matches);
        output.put("files_searched", searched);
        output.put("files_skipped", skipped);
        output.put("out_of_time", late);
    }
}
