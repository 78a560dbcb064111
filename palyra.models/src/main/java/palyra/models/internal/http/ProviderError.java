package palyra.models.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * Error message of a server. All fields are untrusted text.
 *
 * @param type sort of error, such as {@code invalid_request_error}; may be empty
 * @param code name of the error, such as {@code context_length_exceeded}; may be empty
 * @param message its sentence, cleaned; may be empty
 */
public record ProviderError(String type, String code, String message) {
    static final ProviderError NONE = new ProviderError("", "", "");

    private static final int MAX_WORD = 64;
    private static final int MAX_MESSAGE = 400;

    /**
     * Reads {@code {"error":{"type","code","message"}}}, {@code {"error":"…"}}, {@code
     * {"message":"…"}} and {@code {"detail":"…"}}.
     */
    public static ProviderError of(JsonNode said) {
        JsonNode error = said.path("error");
        if (error.isTextual()) {
            return new ProviderError("", "", clean(error.asText(), MAX_MESSAGE));
        }
        JsonNode at = error.isObject() ? error : said;
        JsonNode message =
                at.path("message").isMissingNode() ? at.path("detail") : at.path("message");
        return new ProviderError(
                clean(at.path("type").asText(""), MAX_WORD),
                clean(at.path("code").asText(""), MAX_WORD),
                clean(message.isTextual() ? message.asText() : message.toString(), MAX_MESSAGE));
    }

    /** Makes one short line of text: no control characters, no runs of white space. */
    static String clean(String text, int max) {
        String head = text.length() > 4 * max ? text.substring(0, 4 * max) : text;
        String line = head.replaceAll("[\\p{C}\\p{Z}\\s]+", " ").strip();
        if (line.length() <= max) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(max - 1)) ? max - 1 : max;
        return line.substring(0, end) + "…";
    }

    /** Returns everything in lower case, for looking for words. */
    String words() {
        return (type + " " + code + " " + message).toLowerCase(Locale.ROOT);
    }

    /** Returns the best name of the error; may be empty. */
    String name() {
        return code.isEmpty() || code.matches("[0-9]+") ? type : code;
    }
}
