package palyra.shared.text;

import java.util.Locale;
import java.util.TreeSet;

/**
 * Shows text to a user who has to decide about it: invisible characters, and those that change the
 * writing direction, are shown as {@code \\u{HEX}}. Pure functions.
 */
public final class EscapedText {
    private static final int MOST_NAMED = 8;

    private EscapedText() {}

    /** Returns text with its line breaks. */
    public static String block(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(c, c == '\n', out));
        return out.toString();
    }

    /** Returns text as one line. */
    public static String line(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(c, false, out));
        return out.toString();
    }

    /** Returns a word of a command, quoted unless it is plain. */
    public static String word(String text) {
        boolean plain = text.matches("[A-Za-z0-9_@%+=:,./-]+");
        return plain ? text : "'" + line(text).replace("'", "\\u{27}") + "'";
    }

    private static void append(int c, boolean keep, StringBuilder out) {
        if (keep || seen(c)) {
            out.appendCodePoint(c);
        } else {
            out.append("\\u{").append(Integer.toHexString(c).toUpperCase(Locale.ROOT)).append('}');
        }
    }

    private static boolean seen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }

    /**
     * Names the characters of a text that are not ASCII, which may look like ASCII ones; empty
     * without any.
     */
    public static String foreign(String text) {
        TreeSet<String> names = new TreeSet<>();
        text.codePoints()
                .filter(c -> c > 0x7E)
                .forEach(c -> names.add(String.format(Locale.ROOT, "U+%04X", c)));
        String some = String.join(" ", names.stream().limit(MOST_NAMED).toList());
        return names.size() > MOST_NAMED ? some + " …" : some;
    }
}
