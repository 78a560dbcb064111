package palyra.console.internal.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import palyra.api.approval.ApprovalPrompt;
import palyra.shared.secrets.Placeholder;
import palyra.shared.text.EscapedText;

/**
 * The warning beside an answer to an approval request: letters of the command that are not ASCII
 * may look like other ones. The same on every page that takes an answer. Thread-safe.
 */
public final class ForeignLetters {
    /** What to do about it. */
    public static final String REMEDY = "Letters that are not ASCII may look like other ones.";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ForeignLetters() {}

    /** Returns the warning for an approval request's details; empty when the command is plain. */
    public static String warning(JsonNode details) {
        JsonNode call = details.path("call").isObject() ? details.path("call") : details;
        StringBuilder command = new StringBuilder(call.path("executable").asText(""));
        call.path("argv").forEach(word -> command.append(word.asText("")));
        return warning(command.toString());
    }

    /** Returns the warning for a prompt; what its details do not tell, its summary does. */
    public static String warning(ApprovalPrompt prompt) {
        try {
            JsonNode details = JSON.readTree(prompt.detailsJson());
            return details.isObject() ? warning(details) : warning(prompt.summary());
        } catch (JsonProcessingException e) {
            return warning(prompt.summary());
        }
    }

    private static String warning(String command) {
        String foreign = EscapedText.foreign(Placeholder.without(command));
        return foreign.isEmpty() ? "" : "Look closely: the command has " + foreign + ".";
    }
}
