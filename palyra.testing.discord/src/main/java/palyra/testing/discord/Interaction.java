package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A command, a pressed button or a form that was sent, and what the bot did with it so far.
 *
 * @param id snowflake
 * @param token what its answers are sent with
 * @param channel id of its channel
 * @param callback body of the first answer; empty before that
 * @param original the message that the first answer made, or that was changed by it
 * @param followups further messages, oldest first
 */
public record Interaction(
        String id,
        String token,
        String channel,
        Optional<JsonNode> callback,
        Optional<Posted> original,
        List<Posted> followups) {
    /** Returns the type of the first answer, such as 5 for one that only announces; 0 for none. */
    public int answerType() {
        return callback.map(body -> body.path("type").asInt()).orElse(0);
    }
}
