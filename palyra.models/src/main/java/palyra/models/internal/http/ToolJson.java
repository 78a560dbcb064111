package palyra.models.internal.http;

import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/**
 * Repairs the input of a call where it is unambiguous (docs/models.md): empty text for an object
 * without members, a code fence around it, a comma after the last member, control characters within
 * a string, the same object twice. Other errors stay, above all a truncated text, whose rest is
 * unknown. Pure functions.
 */
public final class ToolJson {
    private ToolJson() {}

    /** Returns the repaired input, or the same text when it is valid or cannot be repaired. */
    public static String repaired(String written) {
        if (written.isBlank()) {
            return "{}";
        }
        if (isObject(written)) {
            return written;
        }
        String bare = withoutFence(written.strip());
        String once = tidied(half(bare));
        if (isObject(once)) {
            return once;
        }
        String tidy = tidied(bare);
        return isObject(tidy) ? tidy : written;
    }

    /** Returns whether a text is one JSON object. */
    public static boolean isObject(String text) {
        try {
            return StrictJson.parse(text, "input").isObject();
        } catch (PalyraException e) {
            return false;
        }
    }

    private static String withoutFence(String text) {
        int line = text.indexOf('\n');
        boolean fenced =
                text.startsWith("```")
                        && text.endsWith("```")
                        && line > 0
                        && line < text.length() - 3
                        && text.substring(3, line).strip().matches("[A-Za-z0-9]{0,10}");
        return fenced ? text.substring(line + 1, text.length() - 3).strip() : text;
    }

    /** Some servers send all pieces and then the whole again. */
    private static String half(String text) {
        int half = text.length() / 2;
        boolean twice = text.length() % 2 == 0 && text.startsWith(text.substring(half));
        return twice ? text.substring(half) : text;
    }

    /** Leaves out commas before an end, and escapes control characters within strings. */
    private static String tidied(String text) {
        StringBuilder tidy = new StringBuilder(text.length() + 16);
        boolean inString = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString && c == '\\' && i + 1 < text.length()) {
                tidy.append(c).append(text.charAt(++i));
                continue;
            }
            if (c == '"') {
                inString = !inString;
            }
            if (inString && c < ' ') {
                tidy.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
            } else if (inString || c != ',' || !endsAfter(text, i)) {
                tidy.append(c);
            }
        }
        return tidy.toString();
    }

    private static boolean endsAfter(String text, int comma) {
        int next = comma + 1;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next < text.length() && (text.charAt(next) == '}' || text.charAt(next) == ']');
    }
}
