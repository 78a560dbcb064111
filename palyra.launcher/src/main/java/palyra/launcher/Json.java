package palyra.launcher;

import java.util.Collection;
import java.util.Map;

/** Writes the few JSON values the launcher needs; it never reads any. */
final class Json {
    private Json() {}

    /** Strings, numbers, booleans, collections and maps with string keys. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder(128);
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        switch (value) {
            case String text -> appendText(out, text);
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag);
            case Collection<?> items -> appendItems(out, items);
            case Map<?, ?> members -> appendMembers(out, members);
            default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    private static void appendItems(StringBuilder out, Collection<?> items) {
        String separator = "[";
        for (Object item : items) {
            append(out.append(separator), item);
            separator = ",";
        }
        out.append(items.isEmpty() ? "[]" : "]");
    }

    private static void appendMembers(StringBuilder out, Map<?, ?> members) {
        String separator = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            appendText(out.append(separator), (String) member.getKey());
            append(out.append(':'), member.getValue());
            separator = ",";
        }
        out.append(members.isEmpty() ? "{}" : "}");
    }

    private static void appendText(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
