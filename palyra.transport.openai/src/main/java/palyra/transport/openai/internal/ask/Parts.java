package palyra.transport.openai.internal.ask;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import palyra.transport.openai.internal.http.RefusedException;

/** Reads the content of messages, which is a text or a list of parts. Pure functions. */
final class Parts {
    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text", "refusal");

    private Parts() {}

    /**
     * Returns the text of a message.
     *
     * @param field where it is in the request
     * @param lenient whether a part that is no text is named in its place instead of refused: an
     *     earlier message may have had some
     */
    static String text(JsonNode content, String field, boolean lenient) {
        if (content.isMissingNode() || content.isNull()) {
            return "";
        }
        if (content.isTextual()) {
            return content.textValue();
        }
        if (!content.isArray()) {
            throw RefusedException.invalid(
                    field, field + " is neither a text nor a list of parts.");
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < content.size(); i++) {
            texts.add(part(content.get(i), field + "[" + i + "]", lenient));
        }
        return String.join("\n", texts);
    }

    private static String part(JsonNode part, String field, boolean lenient) {
        String type = part.path("type").asText();
        JsonNode text = part.path(type.equals("refusal") ? "refusal" : "text");
        if (TEXTS.contains(type) && text.isTextual()) {
            return text.textValue();
        }
        if (lenient) {
            return "[a part of type " + (type.matches("[a-z_]{1,32}") ? type : "other") + "]";
        }
        throw RefusedException.unsupported(
                field,
                field
                        + " is no text: images, audio and files are not taken here; send text, or put"
                        + " the file where the agent's tools find it.");
    }
}
