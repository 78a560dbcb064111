package palyra.channels.internal.route;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Finds what counts as a mention in a text. Pure. */
final class Mentions {
    private static final Pattern EVERYONE =
            Pattern.compile(
                    "(?i)(?<![\\p{L}\\p{N}_])@(everyone|here|all|channel)(?![\\p{L}\\p{N}_])");

    private Mentions() {}

    /** Returns whether a text addresses everyone. */
    static boolean everyone(String text) {
        return EVERYONE.matcher(text).find();
    }

    /**
     * Returns whether a text contains one of the patterns, upper or lower case, between characters
     * that are no letters or digits. Words that address everyone count only if a pattern names one.
     *
     * @param patterns in lower case
     */
    static boolean mentioned(String text, List<String> patterns) {
        if (patterns.contains("*")) {
            return true;
        }
        boolean named = patterns.stream().anyMatch(Mentions::everyone);
        String lower =
                (named ? text : EVERYONE.matcher(text).replaceAll(" ")).toLowerCase(Locale.ROOT);
        return patterns.stream().anyMatch(pattern -> contains(lower, pattern));
    }

    private static boolean contains(String text, String pattern) {
        for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
            int end = at + pattern.length();
            boolean begins = at == 0 || !joins(text.codePointBefore(at), pattern.codePointAt(0));
            boolean ends =
                    end == text.length()
                            || !joins(
                                    text.codePointAt(end),
                                    pattern.codePointBefore(pattern.length()));
            if (begins && ends) {
                return true;
            }
        }
        return false;
    }

    private static boolean joins(int outside, int inside) {
        return isWord(outside) && isWord(inside);
    }

    private static boolean isWord(int character) {
        return Character.isLetterOrDigit(character) || character == '_';
    }
}
