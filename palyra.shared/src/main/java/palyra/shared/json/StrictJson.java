package palyra.shared.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * Reads JSON from outside (RFC 8259) and refuses what two readers could understand differently:
 * duplicate keys, lone surrogates, invalid UTF-8, anything after the value, nesting deeper than 64.
 * Thread-safe.
 */
public final class StrictJson {
    /** Deepest nesting taken. */
    public static final int MAX_DEPTH = 64;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    /** The parser's note that it does not quote the text, before a place in it. */
    private static final Pattern SOURCE = Pattern.compile("\\[Source: [^;\\]]*; ?([^\\]]*)\\]");

    private StrictJson() {}

    /** Parses text; {@code what} names it in errors. INVALID_ARGUMENT when it is not acceptable. */
    public static JsonNode parse(String text, String what) {
        Require.present(text, what);
        requireWellFormed(text, what);
        try {
            JsonNode node = MAPPER.readTree(text);
            Require.that(
                    node != null && !node.isMissingNode(),
                    what + " is empty: a JSON value is expected");
            requireWellFormedValues(node, what);
            return node;
        } catch (JsonProcessingException | NumberFormatException e) {
            throw refused(what, e); // the latter for an exponent beyond what a number may have
        }
    }

    /** Parses bytes of UTF-8. */
    public static JsonNode parse(byte[] utf8, String what) {
        Require.present(utf8, what);
        try {
            return parse(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString(),
                    what);
        } catch (CharacterCodingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, what + " is not valid UTF-8; send UTF-8", e);
        }
    }

    private static PalyraException refused(String what, Exception e) {
        String reason =
                e instanceof JsonProcessingException j
                        ? SOURCE.matcher(j.getOriginalMessage()).replaceAll("$1")
                        : e.getMessage();
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                what + " is not acceptable JSON: " + firstLine(reason),
                e);
    }

    private static String firstLine(String text) {
        String line = text == null ? "unreadable" : text.lines().findFirst().orElse("unreadable");
        return line.length() > 200 ? line.substring(0, 200) + "…" : line;
    }

    /** Escaped surrogates come apart only after parsing, so values are looked at too. */
    private static void requireWellFormedValues(JsonNode node, String what) {
        if (node.isTextual()) {
            requireWellFormed(node.textValue(), what);
        } else if (node.isObject()) {
            for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
                requireWellFormed(names.next(), what);
            }
        }
        for (JsonNode child : node) {
            requireWellFormedValues(child, what);
        }
    }

    private static void requireWellFormed(String text, String what) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        what + " holds half of a surrogate pair; send well-formed Unicode");
            }
        }
    }
}
