package palyra.shared.secrets;

import java.util.ArrayList;
import java.util.List;

/**
 * What follows the anchor of a shape: runs of characters of given sets and lengths, and fixed
 * texts, matched from left to right without ever going back. Written as items with a blank between
 * them: {@code B36} 36 letters or digits, {@code U20-64} 20 to 64 of that set, {@code H32+} 32 or
 * more, {@code "."} the text itself. The character after the last run is not of its set.
 */
final class Body {
    /** Longest run without an upper bound that is judged; what follows belongs to it too. */
    private static final int LONGEST_RUN = 1_024;

    /** The same in a shape that begins once in a run at most. */
    private static final int LONGEST_RUN_ALONE = 16_384;

    private record Item(String fixed, boolean[] set, int least, int most, boolean open) {}

    private final List<Item> items = new ArrayList<>();

    Body(List<String> written, boolean alone) {
        int longest = alone ? LONGEST_RUN_ALONE : LONGEST_RUN;
        written.forEach(item -> items.add(item(item, longest)));
    }

    private static Item item(String written, int longest) {
        if (written.startsWith("\"")) {
            return new Item(written.substring(1, written.length() - 1), null, 0, 0, false);
        }
        boolean[] set = Chars.set(written.charAt(0));
        String length = written.substring(1);
        if (length.endsWith("+")) {
            int least = Integer.parseInt(length.substring(0, length.length() - 1));
            return new Item(null, set, least, longest, true);
        }
        String[] range = length.split("-", 2);
        int least = Integer.parseInt(range[0]);
        int most = range.length == 1 ? least : Integer.parseInt(range[1]);
        return new Item(null, set, least, most, false);
    }

    /**
     * Matches from {@code from}. The outcome's start is {@code start}, its end the end of the body.
     */
    void attempt(CharSequence text, int start, int from, boolean complete, Attempt outcome) {
        int at = from;
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            int end =
                    item.fixed() == null
                            ? run(text, at, item, i == items.size() - 1)
                            : fixed(text, at, item.fixed());
            if (end < 0) {
                outcome.none();
                return;
            }
            if (end == text.length() && !complete) {
                outcome.more(start);
                return;
            }
            if (item.fixed() == null ? end - at < item.least() : end - at < item.fixed().length()) {
                outcome.none(); // the text is complete and ended within the item
                return;
            }
            at = end;
        }
        outcome.match(start, at);
    }

    /** Returns the end of a run, which may be the text's; -1 when it is too short or too long. */
    private static int run(CharSequence text, int at, Item item, boolean last) {
        int limit = (int) Math.min(text.length(), (long) at + item.most());
        int end = at;
        while (end < limit && Chars.in(item.set(), text.charAt(end))) {
            end++;
        }
        if (end == text.length()) {
            return end;
        }
        boolean tooLong =
                last
                        && !item.open()
                        && end - at == item.most()
                        && Chars.in(item.set(), text.charAt(end));
        return end - at < item.least() || tooLong ? -1 : end;
    }

    /** Takes the rest of a very long last run into a match. */
    private void extend(CharSequence text, boolean complete, Attempt outcome) {
        Item last = items.get(items.size() - 1);
        if (!last.open()) {
            return;
        }
        int end = outcome.end;
        while (end < text.length() && Chars.in(last.set(), text.charAt(end))) {
            end++;
        }
        outcome.end = end;
        if (end == text.length() && !complete) {
            outcome.more(outcome.start);
        }
    }

    /** Keeps a match whose secret the check accepts. */
    void judge(CharSequence text, int from, boolean complete, Check check, Attempt outcome) {
        if (outcome.state != Attempt.State.MATCH) {
            return;
        }
        if (check.accepts(text.subSequence(from, outcome.end).toString())) {
            extend(text, complete, outcome);
        } else {
            outcome.none();
        }
    }

    /** Returns the end of a fixed text, or the text's end within it; -1 when it is not there. */
    private static int fixed(CharSequence text, int at, String fixed) {
        int length = Math.min(fixed.length(), text.length() - at);
        for (int i = 0; i < length; i++) {
            if (text.charAt(at + i) != fixed.charAt(i)) {
                return -1;
            }
        }
        return at + length;
    }
}
