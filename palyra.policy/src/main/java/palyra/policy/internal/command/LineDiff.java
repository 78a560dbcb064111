package palyra.policy.internal.command;

import java.util.ArrayList;
import java.util.List;

/** Compares texts line by line. Bounded: what differs too much is shown as replaced. */
final class LineDiff {
    private static final int AROUND = 3;
    private static final long MOST_CELLS = 4_000_000;

    private LineDiff() {}

    private record Line(char mark, String text) {}

    /** Returns what differs in the unified form, without file names; empty when nothing does. */
    static List<String> unified(String before, String after) {
        List<Line> script = script(before.lines().toList(), after.lines().toList());
        List<String> out = new ArrayList<>();
        int at = 0;
        while (at < script.size()) {
            int first = nextChange(script, at);
            if (first == script.size()) {
                break;
            }
            int end = endOfHunk(script, first);
            int from = Math.max(at, first - AROUND);
            hunk(script, from, end, out);
            at = end;
        }
        return out;
    }

    private static int nextChange(List<Line> script, int from) {
        int at = from;
        while (at < script.size() && script.get(at).mark() == ' ') {
            at++;
        }
        return at;
    }

    /** Changes that are close to each other are shown together. */
    private static int endOfHunk(List<Line> script, int first) {
        int end = first;
        while (true) {
            while (end < script.size() && script.get(end).mark() != ' ') {
                end++;
            }
            int next = nextChange(script, end);
            if (next == script.size() || next - end > 2 * AROUND) {
                return Math.min(script.size(), end + AROUND);
            }
            end = next;
        }
    }

    private static void hunk(List<Line> script, int from, int end, List<String> out) {
        out.add(
                "@@ -"
                        + (count(script, 0, from, '+') + 1)
                        + ","
                        + count(script, from, end, '+')
                        + " +"
                        + (count(script, 0, from, '-') + 1)
                        + ","
                        + count(script, from, end, '-')
                        + " @@");
        script.subList(from, end).forEach(line -> out.add(line.mark() + line.text()));
    }

    /** Counts lines that do not have a mark. */
    private static int count(List<Line> script, int from, int to, char not) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += script.get(i).mark() == not ? 0 : 1;
        }
        return count;
    }

    private static List<Line> script(List<String> before, List<String> after) {
        int head = 0;
        int most = Math.min(before.size(), after.size());
        while (head < most && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < most - head
                && before.get(before.size() - 1 - tail)
                        .equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        List<Line> script = new ArrayList<>();
        before.subList(0, head).forEach(text -> script.add(new Line(' ', text)));
        middle(
                before.subList(head, before.size() - tail),
                after.subList(head, after.size() - tail),
                script);
        before.subList(before.size() - tail, before.size())
                .forEach(text -> script.add(new Line(' ', text)));
        return script;
    }

    private static void middle(List<String> before, List<String> after, List<Line> script) {
        if ((long) before.size() * after.size() > MOST_CELLS) {
            before.forEach(text -> script.add(new Line('-', text)));
            after.forEach(text -> script.add(new Line('+', text)));
            return;
        }
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] =
                        before.get(i).equals(after.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                script.add(new Line(' ', before.get(i)));
                i++;
                j++;
            } else if (j == after.size()
                    || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
                script.add(new Line('-', before.get(i++)));
            } else {
                script.add(new Line('+', after.get(j++)));
            }
        }
    }
}
