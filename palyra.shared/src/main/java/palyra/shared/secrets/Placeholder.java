package palyra.shared.secrets;

import java.util.regex.Pattern;

/** The placeholder for a secret in a text: {@code ⟦secret:KIND:N⟧}. Pure functions. */
public final class Placeholder {
    private static final String OPEN = "⟦secret:";
    private static final char CLOSE = '⟧';
    private static final int LONGEST_KIND = 64;
    private static final Pattern WHOLE =
            Pattern.compile(OPEN + "[a-zA-Z0-9._-]{1," + LONGEST_KIND + "}:[0-9]{1,9}" + CLOSE);

    private Placeholder() {}

    /** Returns the placeholder of a secret of a kind with a number. */
    public static String of(String kind, int number) {
        return OPEN + kind + ":" + number + CLOSE;
    }

    /** Returns whether a text holds a placeholder. */
    public static boolean isIn(CharSequence text) {
        return highest(text) > 0;
    }

    /** Returns a text without its placeholders. */
    public static String without(String text) {
        return WHOLE.matcher(text).replaceAll("");
    }

    /** Returns the highest number of a placeholder in a text; 0 when it holds none. */
    public static int highest(CharSequence text) {
        String all = text.toString();
        int highest = 0;
        for (int at = all.indexOf(OPEN); at >= 0; at = all.indexOf(OPEN, at + 1)) {
            highest = Math.max(highest, number(all, at + OPEN.length()));
        }
        return highest;
    }

    private static int number(String text, int from) {
        int colon = text.indexOf(':', from);
        if (colon < 0 || colon - from > LONGEST_KIND) {
            return 0;
        }
        int end = colon + 1;
        int number = 0;
        while (end < text.length() && end - colon <= 9 && isDigit(text.charAt(end))) {
            number = number * 10 + text.charAt(end++) - '0';
        }
        return end < text.length() && text.charAt(end) == CLOSE ? number : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
