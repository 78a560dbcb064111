package palyra.sandbox.internal.egress;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The head of an HTTP/1.1 message (RFC 9112), read strictly: no folded lines, no blanks before a
 * colon, no control characters. Characters are bytes (ISO 8859-1).
 *
 * @param start request line or status line
 * @param fields fields in their order
 */
record Head(String start, List<Field> fields) {
    /** Most bytes of a head. */
    static final int MOST_BYTES = 65_536;

    private static final int MOST_FIELDS = 200;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Set<String> HOP_BY_HOP =
            Set.of(
                    "connection",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "content-length",
                    "upgrade",
                    "http2-settings",
                    "expect");

    /** A field; its name as it was sent. */
    record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /** Returns whether a text may be the value of a field. */
    static boolean isValue(String text) {
        return text.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c != 0x7f && c <= 0xff));
    }

    /**
     * Reads a head.
     *
     * @throws MalformedException when it is not acceptable
     * @throws EOFException when the stream ends before it does
     */
    static Head read(ConnectionInput in) throws IOException {
        String start = in.line(MOST_BYTES);
        if (start == null) {
            throw new EOFException("the connection ended before the head");
        }
        int left = MOST_BYTES - start.length();
        List<Field> fields = new ArrayList<>();
        for (String line = in.line(left); ; line = in.line(left)) {
            if (line == null) {
                throw new EOFException("the connection ended within the head");
            }
            if (line.isEmpty()) {
                return new Head(start, List.copyOf(fields));
            }
            left -= line.length() + 2;
            if (left < 0 || fields.size() >= MOST_FIELDS) {
                throw new MalformedException("the head is too large");
            }
            fields.add(field(line));
        }
    }

    private static Field field(String line) throws MalformedException {
        int colon = line.indexOf(':');
        if (colon < 1 || !isToken(line.substring(0, colon))) {
            throw new MalformedException("a field of the head is folded or has no proper name");
        }
        return new Field(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    /** Returns the values of a field, in their order. */
    List<String> all(String name) {
        return fields.stream().filter(f -> f.is(name)).map(Field::value).toList();
    }

    /** Returns the only value of a field, or the empty text. Several are refused. */
    String only(String name) throws MalformedException {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new MalformedException("the head has the field " + name + " more than once");
        }
        return values.isEmpty() ? "" : values.get(0);
    }

    /**
     * Returns the fields that are for the other end: without those of one hop (RFC 9110, section
     * 7.6.1), of proxies, and those that {@code Connection} names; without length and {@code Host}.
     */
    List<Field> endToEnd() {
        Set<String> named = new HashSet<>();
        for (String value : all("connection")) {
            for (String name : value.split(",", -1)) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return fields.stream().filter(field -> travels(field, named)).toList();
    }

    private static boolean travels(Field field, Set<String> named) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return !HOP_BY_HOP.contains(name)
                && !named.contains(name)
                && !name.startsWith("proxy-")
                && !name.equals("host");
    }

    /** Returns the head as it is sent, the empty line included. */
    byte[] bytes() {
        StringBuilder text = new StringBuilder(start).append("\r\n");
        for (Field field : fields) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
