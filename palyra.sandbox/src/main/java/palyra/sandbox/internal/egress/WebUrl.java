package palyra.sandbox.internal.egress;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An {@code http} or {@code https} URL, read strictly (RFC 3986): no user information, no
 * backslashes, blanks or control characters, an explicit host. Path and query are sent unchanged,
 * except that non-ASCII characters are percent-encoded as UTF-8. The fragment is dropped. Pure.
 *
 * @param scheme {@code http} or {@code https}
 * @param host host
 * @param port port, also where it is the scheme's own
 * @param target path and query, as the request line has it; begins with a slash
 */
record WebUrl(String scheme, Host host, int port, String target) {
    private static final int LONGEST = 8_192;
    private static final Pattern SHAPE =
            Pattern.compile("(?i)(https?)://([^/?#]*)([^?#]*)(\\?[^#]*)?(#.*)?");
    private static final Pattern ORIGIN =
            Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*:)?(//)?[^/?#]*");
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^\\]]*\\]|[^:]*)(?::([0-9]*))?");

    /** What a URL may not have anywhere; the rest of ASCII is left to the server. */
    private static final Pattern BAD = Pattern.compile("[\\x00-\\x20\\x7f\"<>\\\\^`{|}]");

    /** Reads a URL. */
    static WebUrl parse(String text) {
        if (text.length() > LONGEST) {
            throw refused(text, "is longer than " + LONGEST + " characters");
        }
        if (BAD.matcher(text).find()) {
            throw refused(text, "has blanks or characters that must be percent-encoded");
        }
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            throw refused(text, "is not an absolute http or https URL");
        }
        if (shape.group(2).indexOf('@') >= 0) {
            throw RefusedException.denied(
                    Reason.HOST,
                    "The URL has user information; remove it and send credentials in headers.");
        }
        String scheme = shape.group(1).toLowerCase(Locale.ROOT);
        Matcher authority = AUTHORITY.matcher(shape.group(2));
        if (!authority.matches() || authority.group(1).isEmpty()) {
            throw refused(text, "has no usable host");
        }
        String path = shape.group(3).isEmpty() ? "/" : shape.group(3);
        String query = shape.group(4) == null ? "" : shape.group(4);
        return new WebUrl(
                scheme,
                Host.parse(authority.group(1)),
                port(authority.group(2), scheme.equals("https") ? 443 : 80, text),
                encoded(path + query, text));
    }

    private static int port(String digits, int usual, String text) {
        if (digits == null) {
            return usual;
        }
        int port = digits.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > 65_535) {
            throw refused(text, "has an invalid port");
        }
        return port;
    }

    private static String encoded(String target, String text) {
        StringBuilder encoded = new StringBuilder(target.length());
        for (int at = 0; at < target.length(); ) {
            int character = target.codePointAt(at);
            at += Character.charCount(character);
            if (character < 0x80) {
                encoded.append((char) character);
            } else if (Character.getType(character) == Character.SURROGATE) {
                throw refused(text, "has half a character");
            } else {
                for (byte each : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
                    encoded.append(String.format("%%%02X", each & 0xff));
                }
            }
        }
        return encoded.toString();
    }

    private static RefusedException refused(String text, String why) {
        return RefusedException.unusable(
                Reason.HOST, "'" + DisplayText.text(withoutPath(text)) + "' " + why + ".");
    }

    /** A path or a query may hold a secret, which belongs into no message. */
    private static String withoutPath(String text) {
        Matcher origin = ORIGIN.matcher(text);
        return origin.lookingAt() && origin.end() < text.length() ? origin.group() + "/…" : text;
    }

    /** Returns where a {@code Location} leads from here; its fragment is dropped. */
    WebUrl resolve(String location) {
        try {
            String there = location.indexOf('#') < 0 ? location : before(location, '#');
            boolean absolute = there.matches("(?i)[a-z][a-z0-9+.-]*:.*");
            return parse(
                    absolute
                            ? there
                            : URI.create(text()).resolve(encoded(there, there)).toString());
        } catch (IllegalArgumentException e) {
            throw refused(location, "is not a valid redirect URL");
        }
    }

    private static String before(String text, char mark) {
        return text.substring(0, text.indexOf(mark));
    }

    boolean secure() {
        return scheme.equals("https");
    }

    /** Returns the value of the {@code Host} field. */
    String hostField() {
        return port == (secure() ? 443 : 80) ? host.inUrl() : host.inUrl() + ":" + port;
    }

    /** Returns scheme, host and port: what credentials are bound to. */
    String origin() {
        return scheme + "://" + host.inUrl() + ":" + port;
    }

    /** Returns the URL as text. */
    String text() {
        return scheme + "://" + hostField() + target;
    }

    @Override
    public String toString() {
        return withoutPath(text());
    }
}
