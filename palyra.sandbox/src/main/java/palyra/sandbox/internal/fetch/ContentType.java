package palyra.sandbox.internal.fetch;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a body (RFC 9110, section 8.3).
 *
 * @param type type and subtype in lower case; empty when the header names none
 * @param charset charset of a text; UTF-8 unless the header names another known one
 */
record ContentType(String type, Charset charset) {
    private static final Pattern CHARSET =
            Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]{1,40})\"?");
    private static final Pattern TEXT =
            Pattern.compile(
                    "text/.*|application/(json|xml|x-www-form-urlencoded|x-ndjson|javascript"
                            + "|ecmascript)|[^/]+/[^/]+\\+(json|xml)");

    static ContentType of(String value) {
        int end = value.indexOf(';');
        String type = (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        Matcher charset = CHARSET.matcher(value);
        return new ContentType(
                type, charset.find() ? known(charset.group(1)) : StandardCharsets.UTF_8);
    }

    private static Charset known(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return StandardCharsets.UTF_8;
        }
    }

    /** Returns whether a body of this type is text. */
    boolean isText() {
        return TEXT.matcher(type).matches();
    }
}
