package palyra.policy.internal.cedar.value;

import java.util.Set;

/** How names and strings are written in Cedar's syntax. */
public final class CedarText {
    private static final Set<String> RESERVED =
            Set.of("true", "false", "if", "then", "else", "in", "is", "like", "has");

    private CedarText() {}

    /** The string as a literal, in double quotes, with everything escaped that must be. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> escape(out, c));
        return out.append('"').toString();
    }

    /** A literal of {@code like}: as {@link #quote} without the quotes, and with stars escaped. */
    public static String pattern(String text) {
        String quoted = quote(text);
        return quoted.substring(1, quoted.length() - 1).replace("*", "\\*");
    }

    /** True if the text can be written as an attribute without quotes. */
    public static boolean isIdentifier(String text) {
        if (text.isEmpty() || RESERVED.contains(text)) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    private static void escape(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 0 -> out.append("\\0");
            default -> {
                if (Character.isISOControl(c)) {
                    out.append("\\u{").append(Integer.toHexString(c)).append('}');
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }
}
