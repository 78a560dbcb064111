package palyra.shared.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that a person probably meant. Stateless. */
public final class Nearest {
    private static final int LONGEST = 120;
    private static final int LONG_WORD = 5;

    private Nearest() {}

    /**
     * Returns {@code "; did you mean X?"}, or an empty text when no candidate is near.
     *
     * @param prefix precedes the candidate, such as {@code --}
     */
    public static String hint(String given, Collection<String> candidates, String prefix) {
        return to(given, candidates)
                .map(name -> "; did you mean " + prefix + name + "?")
                .orElse("");
    }

    /**
     * Returns the candidate with the fewest edits, the first one among equals. They are at most a
     * third of the longer word, and one or, from five letters on, two are always allowed. A
     * candidate that begins with two letters or more that were given, or ends with them after a
     * dot, counts as one edit away. Case and {@code - _ .} and spaces do not count.
     */
    public static Optional<String> to(String given, Collection<String> candidates) {
        String word = fold(given);
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            String other = fold(candidate);
            boolean begun =
                    word.length() >= 2
                            && (other.startsWith(word) || candidate.endsWith("." + given));
            int edits = begun ? Math.min(1, distance(word, other)) : distance(word, other);
            if (edits < fewest && edits <= limit(Math.max(word.length(), other.length()))) {
                fewest = edits;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int limit(int length) {
        return Math.max(length < LONG_WORD ? 1 : 2, length / 3);
    }

    private static String fold(String word) {
        String lower = word.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
        return lower.length() > LONGEST ? lower.substring(0, LONGEST) : lower;
    }

    /**
     * Returns the edits between two words: insert, delete, replace, swap two neighbours (the
     * optimal string alignment distance).
     */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cell(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cell(int[][] cost, String a, String b, int i, int j) {
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
