package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The difference of two texts as a unified diff of diff(1), by the algorithm of E. W. Myers ("An
 * O(ND) Difference Algorithm", 1986). Texts with many differences are shown as one change. For one
 * use.
 */
final class TextDiff {
    private static final int CONTEXT = 3;
    private static final int MAX_EDITS = 500;
    private static final int MAX_BYTES = 12_000;
    private static final int MAX_LINE = 400; // characters of a line that are shown

    private final List<LineText> before;
    private final List<LineText> after;
    private final List<FilePatch.Line> lines = new ArrayList<>();
    private int added;
    private int removed;

    private TextDiff(List<LineText> before, List<LineText> after) {
        this.before = before;
        this.after = after;
    }

    /** Compares; texts are bytes read as ISO 8859-1. */
    static TextDiff of(String before, String after) {
        TextDiff diff = new TextDiff(LineText.lines(before), LineText.lines(after));
        diff.compare();
        return diff;
    }

    private void compare() {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start
                && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        before.subList(0, start).forEach(line -> add(FilePatch.Mark.KEPT, line));
        middle(
                before.subList(start, before.size() - end),
                after.subList(start, after.size() - end));
        before.subList(before.size() - end, before.size())
                .forEach(line -> add(FilePatch.Mark.KEPT, line));
    }

    private void add(FilePatch.Mark mark, LineText line) {
        lines.add(new FilePatch.Line(mark, line));
        added += mark == FilePatch.Mark.ADDED ? 1 : 0;
        removed += mark == FilePatch.Mark.REMOVED ? 1 : 0;
    }

    private void middle(List<LineText> old, List<LineText> now) {
        List<int[]> reached = new ArrayList<>(); // the farthest x on each diagonal, by edits
        int most = Math.min(MAX_EDITS, old.size() + now.size());
        int[] farthest = new int[2 * most + 3];
        for (int edits = 0; edits <= most; edits++) {
            for (int k = -edits; k <= edits; k += 2) {
                int x = from(farthest, most + 1, k, edits);
                while (x < old.size() && x - k < now.size() && old.get(x).equals(now.get(x - k))) {
                    x++;
                }
                farthest[most + 1 + k] = x;
                if (x >= old.size() && x - k >= now.size()) {
                    back(old, now, reached, most + 1);
                    return;
                }
            }
            reached.add(Arrays.copyOf(farthest, farthest.length));
        }
        old.forEach(line -> add(FilePatch.Mark.REMOVED, line));
        now.forEach(line -> add(FilePatch.Mark.ADDED, line));
    }

    /** Where the best way to a diagonal begins: a line added, or a line removed. */
    private static int from(int[] farthest, int zero, int k, int edits) {
        if (edits == 0) {
            return 0;
        }
        boolean down =
                k == -edits || (k != edits && farthest[zero + k - 1] < farthest[zero + k + 1]);
        return down ? farthest[zero + k + 1] : farthest[zero + k - 1] + 1;
    }

    /** Goes the way back that led to the end. */
    private void back(List<LineText> old, List<LineText> now, List<int[]> reached, int zero) {
        List<FilePatch.Line> way = new ArrayList<>();
        int x = old.size();
        int y = now.size();
        for (int edits = reached.size(); edits > 0; edits--) {
            int[] farthest = reached.get(edits - 1);
            int k = x - y;
            boolean down =
                    k == -edits || (k != edits && farthest[zero + k - 1] < farthest[zero + k + 1]);
            int beforeX = down ? farthest[zero + k + 1] : farthest[zero + k - 1];
            int beforeY = beforeX - (down ? k + 1 : k - 1);
            while (x > beforeX && y > beforeY) {
                x--;
                y--;
                way.add(new FilePatch.Line(FilePatch.Mark.KEPT, old.get(x)));
            }
            way.add(
                    down
                            ? new FilePatch.Line(FilePatch.Mark.ADDED, now.get(--y))
                            : new FilePatch.Line(FilePatch.Mark.REMOVED, old.get(--x)));
        }
        while (x > 0) {
            way.add(new FilePatch.Line(FilePatch.Mark.KEPT, old.get(--x)));
        }
        Collections.reverse(way);
        way.forEach(line -> add(line.mark(), line.line()));
    }

    /** Writes how many lines are new and gone, and the diff, as far as there is room. */
    void describe(ObjectNode output, String path) {
        output.put("lines_added", added);
        output.put("lines_removed", removed);
        List<String> text = new ArrayList<>();
        hunks(text);
        StringBuilder diff = new StringBuilder("--- " + path + "\n+++ " + path + "\n");
        int shown = 0;
        while (shown < text.size() && diff.length() + text.get(shown).length() <= MAX_BYTES) {
            diff.append(text.get(shown++));
        }
        if (shown < text.size()) {
            diff.append("[the diff is cut here: ")
                    .append(text.size() - shown)
                    .append(" more lines of it are not shown]\n");
        }
        output.put("diff", utf8(diff.toString()));
    }

    private void hunks(List<String> text) {
        int oldLine = 1;
        int newLine = 1;
        int at = 0;
        while (at < lines.size()) {
            int end = endOfHunk(at);
            if (end > at) {
                hunk(text, lines.subList(at, end), oldLine, newLine);
            } else {
                end = at + 1;
            }
            for (FilePatch.Line line : lines.subList(at, end)) {
                oldLine += line.mark() == FilePatch.Mark.ADDED ? 0 : 1;
                newLine += line.mark() == FilePatch.Mark.REMOVED ? 0 : 1;
            }
            at = end;
        }
    }

    /** Returns where the hunk that begins at a line ends; the line itself when none does. */
    private int endOfHunk(int at) {
        int last = -1; // change
        for (int i = at; i < lines.size(); i++) {
            boolean kept = lines.get(i).mark() == FilePatch.Mark.KEPT;
            if (!kept) {
                last = i;
            } else if (i - Math.max(last, at - 1) > (last < 0 ? CONTEXT : 2 * CONTEXT)) {
                break;
            }
        }
        return last < 0 ? at : Math.min(lines.size(), last + 1 + CONTEXT);
    }

    private static void hunk(
            List<String> text, List<FilePatch.Line> hunk, int oldLine, int newLine) {
        long old = hunk.stream().filter(line -> line.mark() != FilePatch.Mark.ADDED).count();
        long now = hunk.stream().filter(line -> line.mark() != FilePatch.Mark.REMOVED).count();
        text.add("@@ -" + range(oldLine, old) + " +" + range(newLine, now) + " @@\n");
        for (FilePatch.Line line : hunk) {
            String mark =
                    switch (line.mark()) {
                        case KEPT -> " ";
                        case ADDED -> "+";
                        case REMOVED -> "-";
                    };
            String content = line.line().text();
            boolean whole = content.length() <= MAX_LINE;
            text.add(mark + (whole ? content : content.substring(0, MAX_LINE) + "[...]") + "\n");
            if (line.line().end().isEmpty()) {
                text.add("\\ No newline at end of file\n");
            }
        }
    }

    private static String range(int line, long count) {
        return (count == 0 ? line - 1 : line) + (count == 1 ? "" : "," + count);
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
