package palyra.examples.append.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Iterator;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * The tool's input, checked. Everything a model writes is checked here, before anything happens: a
 * sentence that names the field is what helps it to ask better.
 *
 * @param file a plain file name
 * @param line one line without its end
 * @param millis how long to wait before the line is appended
 * @param afterMillis how long to wait after it is on the disk
 */
record AppendRequest(String file, String line, long millis, long afterMillis) {
    static final int MAX_LINE = 4_096;
    static final int MAX_MILLIS = 30_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> FIELDS = List.of("file", "line", "millis", "afterMillis");

    AppendRequest {
        Require.that(
                file.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                "file is '"
                        + shown(file)
                        + "'; use a plain file name: up to 64 letters, digits and . _ - that begin"
                        + " with a letter or digit");
        Require.that(
                line.length() <= MAX_LINE,
                "line has " + line.length() + " characters; use at most " + MAX_LINE);
        Require.that(
                line.chars().noneMatch(c -> c < ' ' || c == 0x7f),
                "line holds a control character; use one line of plain text");
        within("millis", millis);
        within("afterMillis", afterMillis);
    }

    /** Reads the JSON text of an invocation. */
    static AppendRequest read(String inputJson) {
        JsonNode input = parse(inputJson);
        Require.that(input.isObject(), "the input is not an object; send {\"file\":…,\"line\":…}");
        for (Iterator<String> names = input.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            Require.that(
                    FIELDS.contains(name),
                    "the field '" + shown(name) + "' is not known; use " + FIELDS);
        }
        return new AppendRequest(
                text(input, "file"),
                text(input, "line"),
                number(input, "millis"),
                number(input, "afterMillis"));
    }

    private static JsonNode parse(String inputJson) {
        try {
            return MAPPER.readTree(inputJson);
        } catch (JsonProcessingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "the input is not JSON; send one object", e);
        }
    }

    private static String text(JsonNode input, String name) {
        JsonNode value = input.path(name);
        Require.that(value.isTextual(), name + " is missing or no text; send a text");
        return value.textValue();
    }

    private static long number(JsonNode input, String name) {
        JsonNode value = input.path(name);
        if (value.isMissingNode()) {
            return 0;
        }
        Require.that(
                value.isIntegralNumber() && value.canConvertToLong(),
                name + " is no whole number; use 0 to " + MAX_MILLIS);
        return value.longValue();
    }

    private static void within(String name, long value) {
        Require.that(
                value >= 0 && value <= MAX_MILLIS,
                name + " is " + value + "; use 0 to " + MAX_MILLIS);
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
