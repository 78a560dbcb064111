package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import palyra.shared.json.Jcs;

/** One search: looks at each file and keeps the lines that match. For one use. */
final class FileSearch implements TreeWalk.Visitor {
    private static final int MAX_FILE_BYTES = 4 * 1_024 * 1_024;
    private static final int MAX_LINE = 100_000; // characters of a line that are looked at
    private static final int SHOWN = 400; // characters of a line that are given back
    private static final int HEAD_BYTES = 8 * 1_024;
    private static final int MAX_OUTPUT_BYTES = 120_000;

    private final SearchTool.Request request;
    private final long deadlineNanos;
    private final ArrayNode matches = JsonNodeFactory.instance.arrayNode();
    private int bytes; // of the matches as JSON
    private int searched;
    private int skipped;
    private int refused;
    private int ignored;
    private boolean late;
    private boolean full;

    FileSearch(SearchTool.Request request, long deadlineNanos) {
        this.request = request;
        this.deadlineNanos = deadlineNanos;
    }

    void outOfTime() {
        late = true;
    }

    @Override
    public boolean entry(OpenFolder folder, BeneathPath path, PosixFileAttributes found)
            throws InterruptedException {
        return found.isDirectory()
                || !request.glob().matches(path.below(request.place().real()))
                || file(folder, path, found);
    }

    @Override
    public boolean ignored(BeneathPath path, PosixFileAttributes found) {
        DeadlineText.look(deadlineNanos);
        ignored++;
        return true;
    }

    /** Searches a file; returns whether to go on. */
    boolean file(OpenFolder folder, BeneathPath path, PosixFileAttributes found)
            throws InterruptedException {
        DeadlineText.look(deadlineNanos);
        Optional<FileState> file = Optional.empty();
        if (found.isRegularFile()) {
            try {
                file = FileState.read(folder, path, MAX_FILE_BYTES);
            } catch (FileRefusal e) {
                refused++; // mostly too large
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the search was asked to stop");
                }
            }
        }
        byte[] content = file.map(FileState::content).orElse(null);
        if (content == null || FileKind.isBinary(content, Math.min(content.length, HEAD_BYTES))) {
            skipped++; // not readable, too large, no text, or not any more what it was
            return true;
        }
        searched++;
        lines(path, new String(content, StandardCharsets.UTF_8).split("\n", -1));
        return !full;
    }

    private void lines(BeneathPath path, String[] lines) {
        boolean ended = lines[lines.length - 1].isEmpty();
        int count = lines.length - (ended ? 1 : 0);
        for (int i = 0; i < count && !full; i++) {
            DeadlineText.look(deadlineNanos);
            String line = line(lines[i]);
            Matcher matcher = request.pattern().matcher(new DeadlineText(line, deadlineNanos));
            if (matcher.find()) {
                add(path, i, matcher.start(), Arrays.asList(lines).subList(0, count));
            }
        }
    }

    /** Returns a line without its end, as much of it as is looked at. */
    private static String line(String read) {
        int end = read.endsWith("\r") ? read.length() - 1 : read.length();
        return read.substring(0, Math.min(end, MAX_LINE));
    }

    private void add(BeneathPath path, int at, int column, List<String> lines) {
        String line = line(lines.get(at));
        ObjectNode match = JsonNodeFactory.instance.objectNode();
        int from = line.length() <= SHOWN ? 0 : Math.min(column, line.length() - SHOWN);
        String text = whole(line.substring(from, Math.min(line.length(), from + SHOWN)));
        match.put("path", path.toString());
        match.put("line", at + 1);
        match.put("column", column + 1);
        match.put("text", text);
        if (line.length() > SHOWN) {
            match.put("text_cut", true);
        }
        if (request.context() > 0) {
            around(lines, Math.max(0, at - request.context()), at, match.putArray("before"));
            around(lines, at + 1, at + 1 + request.context(), match.putArray("after"));
        }
        bytes += Jcs.bytes(match).length;
        full = matches.size() >= request.limit() || bytes > MAX_OUTPUT_BYTES;
        if (!full) {
            matches.add(match);
        }
    }

    private static void around(List<String> lines, int from, int to, ArrayNode shown) {
        for (String line :
                lines.subList(Math.min(from, lines.size()), Math.min(to, lines.size()))) {
            String bare = line(line);
            shown.add(bare.length() > SHOWN ? whole(bare.substring(0, SHOWN)) + "…" : bare);
        }
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

    void describe(ObjectNode output, boolean whole) {
        boolean complete = whole && !full && refused == 0;
        output.set("matches", matches);
        output.put("files_searched", searched);
        output.put("files_skipped", skipped);
        output.put("ignored", ignored);
        output.put("out_of_time", late);
        output.put("complete", complete);
        if (refused > 0) {
            output.put(
                    "hint",
                    refused
                            + " files could not be searched, mostly because they have more than "
                            + MAX_FILE_BYTES / (1_024 * 1_024)
                            + " MiB; read the part that you need, or use grep.");
        }
        if (full) {
            output.put(
                    "hint",
                    "There are more than these "
                            + matches.size()
                            + " matches; narrow path, glob or pattern, or raise limit.");
        }
    }
}
