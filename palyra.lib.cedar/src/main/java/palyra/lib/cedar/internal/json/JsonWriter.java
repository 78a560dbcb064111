package palyra.lib.cedar.internal.json;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes what {@link JsonReader} reads. */
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();
    private final boolean ascii;

    private JsonWriter(boolean ascii) {
        this.ascii = ascii;
    }

    /** Returns a value as JSON without blanks, members in the order of their map. */
    public static String write(Object value) {
        JsonWriter writer = new JsonWriter(false);
        writer.value(value);
        return writer.out.toString();
    }

    /** Returns the same with everything beyond ASCII escaped. */
    public static String writeAscii(Object value) {
        JsonWriter writer = new JsonWriter(true);
        writer.value(value);
        return writer.out.toString();
    }

    private void value(Object value) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                string((String) member.getKey());
                out.append(':');
                value(member.getValue());
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String separator = "[";
            for (Object item : items) {
                out.append(separator);
                value(item);
                separator = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value == JsonReader.NULL) {
            out.append("null");
        } else {
            throw new IllegalArgumentException("A value was to be written that JSON cannot hold.");
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c == '\r') {
                out.append("\\r");
            } else if (c == '\t') {
                out.append("\\t");
            } else if (c < 0x20 || (ascii && c >= 0x7F)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
