package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Patches made by a generator with a fixed seed. */
class PatchPropertyTest {
    private static final String[] ENDS = {"\n", "\n", "\n", "\r\n"};

    private static List<LineText> text(Random random) {
        List<LineText> lines = new ArrayList<>();
        for (int n = random.nextInt(12); n > 0; n--) {
            String line = random.nextInt(5) == 0 ? "" : "line " + random.nextInt(6);
            lines.add(new LineText(line, ENDS[random.nextInt(ENDS.length)]));
        }
        if (!lines.isEmpty() && random.nextInt(3) == 0) {
            String last = lines.remove(lines.size() - 1).text();
            lines.add(new LineText(last.isEmpty() ? "x" : last, ""));
        }
        return lines;
    }

    private static List<LineText> changed(Random random, List<LineText> old) {
        List<LineText> now = new ArrayList<>();
        for (LineText line : old) {
            switch (random.nextInt(6)) {
                case 0 -> now.add(new LineText("changed " + random.nextInt(9), "\n"));
                case 1 -> {
                    now.add(new LineText("added", "\n"));
                    now.add(line);
                }
                case 2 -> {}
                default -> now.add(line);
            }
        }
        for (int i = 0; i + 1 < now.size(); i++) {
            if (now.get(i).end().isEmpty()) {
                now.set(i, new LineText(now.get(i).text(), "\n"));
            }
        }
        return now;
    }

    /** One hunk from the first difference to the last, with context. */
    private static String diff(List<LineText> old, List<LineText> now) {
        int head = 0;
        while (head < Math.min(old.size(), now.size()) && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(old.size(), now.size()) - head
                && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        int from = Math.max(0, head - 3);
        int after = Math.min(tail, 3);
        StringBuilder body = new StringBuilder();
        old.subList(from, head).forEach(line -> add(body, ' ', line));
        old.subList(head, old.size() - tail).forEach(line -> add(body, '-', line));
        now.subList(head, now.size() - tail).forEach(line -> add(body, '+', line));
        old.subList(old.size() - tail, old.size() - tail + after)
                .forEach(line -> add(body, ' ', line));
        int oldCount = old.size() - tail + after - from;
        int newCount = now.size() - tail + after - from;
        return "--- a/f\n+++ b/f\n@@ -"
                + (oldCount == 0 ? from : from + 1)
                + ","
                + oldCount
                + " +"
                + (newCount == 0 ? from : from + 1)
                + ","
                + newCount
                + " @@\n"
                + body;
    }

    private static void add(StringBuilder body, char mark, LineText line) {
        body.append(mark).append(line.text());
        body.append(line.end().isEmpty() ? "\n\\ No newline at end of file\n" : line.end());
    }

    /** Line ends of added lines follow the file, so that texts are compared without CR. */
    @Test
    void aDifferenceLeadsFromTheOldTextToTheNew() throws Exception {
        Random random = new Random(11);
        for (int i = 0; i < 3_000; i++) {
            List<LineText> old = text(random);
            List<LineText> now = changed(random, old);
            if (old.equals(now)) {
                continue;
            }
            String patch = diff(old, now);
            List<FilePatch> read = PatchText.read(patch);
            assertEquals(1, read.size());
            String result = HunkApplier.apply("f", LineText.joined(old), read.get(0).hunks());
            assertEquals(LineText.joined(now).replace("\r", ""), result.replace("\r", ""), patch);
            List<LineText> untouched = new ArrayList<>(now);
            untouched.retainAll(old);
            assertTrue(
                    LineText.lines(result).containsAll(untouched) || patch.contains("\r"), patch);
        }
    }

    @Test
    void aDamagedPatchIsRefusedOrReadAndNothingElse() {
        Random random = new Random(13);
        int refused = 0;
        for (int i = 0; i < 4_000; i++) {
            StringBuilder patch =
                    new StringBuilder("diff --git a/f b/f\n" + diff(text(random), text(random)));
            for (int n = 1 + random.nextInt(4); n > 0 && !patch.isEmpty(); n--) {
                int at = random.nextInt(patch.length());
                switch (random.nextInt(3)) {
                    case 0 -> patch.deleteCharAt(at);
                    case 1 -> patch.insert(at, "@-+ \\\n\"0,9a/".charAt(random.nextInt(12)));
                    default -> patch.delete(at, Math.min(patch.length(), at + 20));
                }
            }
            try {
                for (FilePatch file : PatchText.read(patch.toString())) {
                    HunkApplier.apply("f", LineText.joined(text(random)), file.hunks());
                }
            } catch (FileRefusal e) {
                refused++;
                assertTrue(e.getMessage().endsWith("."), e.getMessage());
            }
        }
        assertTrue(refused > 1_000, refused + " were refused");
    }
}
