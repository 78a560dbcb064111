package palyra.shell.internal.host;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody probably meant. */
public final class Nearest {
    private Nearest() {}

    /** Returns {@code "; did you mean X?"}, or nothing when no candidate is near. */
    public static String hint(String given, Collection<String> candidates, String prefix) {
        return to(given, candidates)
                .map(name -> "; did you mean " + prefix + name + "?")
                .orElse("");
    }

    /**
     * Returns the candidate with the fewest edits, if these are at most a third of the longer word
     * (at least one) or it begins with what was given.
     */
    public static Optional<String> to(String given, Collection<String> candidates) {
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int edits = distance(given, candidate);
            if (given.length() >= 2 && candidate.startsWith(given)) {
                edits = 1;
            }
            if (edits < fewest && edits <= limit(given, candidate)) {
                fewest = edits;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int limit(String given, String candidate) {
        return Math.max(1, Math.max(given.length(), candidate.length()) / 3);
    }

    /** Edits between two words: insert, delete, replace, swap two neighbours. */
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
