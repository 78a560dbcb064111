package palyra.sandbox.internal.files;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a text is in another one, found in time that grows with both (by Knuth, Morris and Pratt).
 * Texts are bytes read as ISO 8859-1. Immutable.
 */
final class TextPlaces {
    /** Most places that are told apart. */
    static final int MOST = 100_000;

    private static final int MOST_TOLD = 20;

    private final String text;
    private final String wanted;
    private final List<Integer> found = new ArrayList<>();
    private final boolean overlap;

    /** Looks for a text that is not empty. */
    TextPlaces(String text, String wanted) {
        this.text = text;
        this.wanted = wanted;
        int[] back = back(wanted);
        int matched = 0;
        boolean over = false;
        for (int i = 0; i < text.length() && found.size() <= MOST; i++) {
            while (matched > 0
                    && (matched == wanted.length() || text.charAt(i) != wanted.charAt(matched))) {
                matched = back[matched - 1];
            }
            matched += text.charAt(i) == wanted.charAt(matched) ? 1 : 0;
            if (matched == wanted.length()) {
                int at = i + 1 - matched;
                over |= !found.isEmpty() && at < found.get(found.size() - 1) + wanted.length();
                found.add(at);
            }
        }
        this.overlap = over;
    }

    /** How much of a beginning is matched still after a mismatch, by length. */
    private static int[] back(String wanted) {
        int[] back = new int[wanted.length()];
        for (int i = 1; i < back.length; i++) {
            int length = back[i - 1];
            while (length > 0 && wanted.charAt(i) != wanted.charAt(length)) {
                length = back[length - 1];
            }
            back[i] = length + (wanted.charAt(i) == wanted.charAt(length) ? 1 : 0);
        }
        return back;
    }

    /** Returns where it begins, each time. */
    List<Integer> found() {
        return found;
    }

    /** Returns whether two of them share characters. */
    boolean overlap() {
        return overlap;
    }

    /** Returns the number of the line of a place. */
    int line(int at) {
        return 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }

    /** Returns the text with another one in each place. */
    String replaced(String now) {
        StringBuilder all = new StringBuilder();
        int done = 0;
        for (int at : found) {
            all.append(text, done, at).append(now);
            done = at + wanted.length();
        }
        return all.append(text, done, text.length()).toString();
    }

    /** Returns why nothing is replaced when it is not there as often as was said. */
    String refusal(BeneathPath path, int count) {
        String file = "'" + FileRefusal.shown(path.toString()) + "'";
        String end = " Nothing was changed.";
        if (found.isEmpty()) {
            return "'old' was found 0 times in " + file + ". " + NearMiss.of(text, wanted) + end;
        }
        String places =
                found.stream()
                        .limit(MOST_TOLD)
                        .map(at -> String.valueOf(line(at)))
                        .collect(Collectors.joining(", "));
        String times = found.size() > MOST ? "more than " + MOST : String.valueOf(found.size());
        return "'old' was found "
                + times
                + (found.size() == 1 ? " time in " : " times in ")
                + file
                + ", where 'count' is "
                + count
                + (found.size() == 1 ? ": at line " : ": at lines ")
                + places
                + (found.size() > MOST_TOLD ? " and more" : "")
                + "; "
                + (overlap
                        ? "places share characters, so give a longer 'old'."
                        : "give more lines around the one to change, or send 'count' "
                                + found.size()
                                + " to change all.")
                + end;
    }
}
