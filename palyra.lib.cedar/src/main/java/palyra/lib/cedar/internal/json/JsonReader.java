package palyra.lib.cedar.internal.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings, longs, booleans and {@link #NULL}. Refused: members that
 * occur twice, surrogates without partner, fractions and exponents, integers beyond 64 bits, depth
 * beyond a limit, anything after the value. Cedar's own reader answers some of these by printing
 * the whole request to the process's error output.
 */
public final class JsonReader {
    /** How deep JSON from outside may nest. */
    public static final int DEPTH = 64;

    /** The JSON value {@code null}. */
    public static final Object NULL = new Object();

    private final String text;
    private final int maxDepth;
    private final boolean nulls;
    private final List<Integer> elements = new ArrayList<>();
    private int at;
    private int depth;

    private JsonReader(String text, int maxDepth, boolean nulls) {
        this.text = text;
        this.maxDepth = maxDepth;
        this.nulls = nulls;
    }

    /** Returns a reader for entities and requests: {@code null} is refused. */
    public static JsonReader strict(String text) {
        return new JsonReader(text, DEPTH, false);
    }

    /** Returns a reader for schemas, whose members may be {@code null}. */
    public static JsonReader lenient(String text) {
        return new JsonReader(text, DEPTH, true);
    }

    /** Returns a reader for answers of native code; they nest with the policies they speak of. */
    public static JsonReader answer(String text) {
        return new JsonReader(text, 20_000, true);
    }

    /** Returns the value. */
    public Object read() throws JsonException {
        Object value = value();
        blanks();
        if (at < text.length()) {
            throw fail("there is something after the end of the JSON value");
        }
        return value;
    }

    /** Returns where the elements of the outermost array began, after {@link #read}. */
    public List<Integer> elementOffsets() {
        return List.copyOf(elements);
    }

    private JsonException fail(String message) {
        return new JsonException(Math.min(at, text.length()), message);
    }

    private void blanks() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws JsonException {
        blanks();
        if (at >= text.length()) {
            throw fail("the JSON ends in the middle of a value");
        }
        return text.charAt(at);
    }

    private Object value() throws JsonException {
        char c = peek();
        return switch (c) {
            case '{' -> nested('}');
            case '[' -> nested(']');
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> nothing();
            default -> number();
        };
    }

    private Object nested(char close) throws JsonException {
        if (++depth > maxDepth) {
            throw fail("the JSON is nested more than " + maxDepth + " deep");
        }
        at++;
        Object value = close == '}' ? members() : items();
        depth--;
        return value;
    }

    private Map<String, Object> members() throws JsonException {
        Map<String, Object> members = new LinkedHashMap<>();
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            if (peek() != '"') {
                throw fail("a member name in quotes was expected here");
            }
            int start = at;
            String name = string();
            if (peek() != ':') {
                throw fail("a colon was expected here");
            }
            at++;
            if (members.putIfAbsent(name, value()) != null) {
                at = start;
                throw fail("this member occurs twice in the same object");
            }
        } while (another('}'));
        return members;
    }

    private List<Object> items() throws JsonException {
        List<Object> items = new ArrayList<>();
        if (peek() == ']') {
            at++;
            return items;
        }
        do {
            peek();
            if (depth == 1) {
                elements.add(at);
            }
            items.add(value());
        } while (another(']'));
        return items;
    }

    private boolean another(char close) throws JsonException {
        char c = peek();
        if (c != ',' && c != close) {
            throw fail("a comma or " + close + " was expected here");
        }
        at++;
        return c == ',';
    }

    private Object word(String word, Object value) throws JsonException {
        if (!text.startsWith(word, at)) {
            throw fail("this is not a JSON value");
        }
        at += word.length();
        return value;
    }

    private Object nothing() throws JsonException {
        if (!nulls) {
            throw fail("null is not a value of Cedar; leave the member out");
        }
        return word("null", NULL);
    }

    private Long number() throws JsonException {
        int start = at;
        at += text.charAt(at) == '-' ? 1 : 0;
        int digits = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        boolean zeros = at - digits > 1 && text.charAt(digits) == '0';
        if (at == digits || zeros) {
            at = start;
            throw fail("this is not a JSON value");
        }
        if (at < text.length() && ".eE".indexOf(text.charAt(at)) >= 0) {
            at = start;
            throw fail("numbers must be integers; write a decimal as a string");
        }
        try {
            return Long.valueOf(text.substring(start, at));
        } catch (NumberFormatException e) {
            at = start;
            throw fail("this integer does not fit into 64 bits");
        }
    }

    private String string() throws JsonException {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            if (at >= text.length()) {
                throw fail("the JSON ends in the middle of a string");
            }
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return whole(value);
            }
            if (c < 0x20) {
                throw fail("a control character must be escaped in a string");
            }
            at++;
            value.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() throws JsonException {
        char c = at < text.length() ? text.charAt(at) : 0;
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw fail("this escape does not exist in JSON");
        };
    }

    private char hex() throws JsonException {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length() ? digit(text.charAt(at)) : -1;
            if (digit < 0) {
                throw fail("four hexadecimal digits were expected here");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private static int digit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private String whole(StringBuilder value) throws JsonException {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw fail("this string holds half of a surrogate pair");
            }
        }
        return value.toString();
    }
}
