package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.core.journal.InboxRow;
import palyra.api.run.SubmittedMessage;
import palyra.shared.json.StrictJson;
import palyra.shared.run.SubmissionCodec;

/**
 * A message of a conversation that became a run.
 *
 * @param row its row of the inbox
 * @param id the platform's id of it
 * @param text what the agent got of it
 */
record HeardMessage(
        InboxRow row, String id, Sender sender, Conversation conversation, String text) {
    /** How many rows of a conversation are looked at, from the newest. */
    static final int MOST_ROWS = 200;

    /**
     * Returns those of some rows, in their order: of a message that was changed the last form, and
     * none of those that their senders took back.
     *
     * @param newestFirst rows of one conversation
     */
    static List<HeardMessage> of(List<InboxRow> newestFirst) {
        Set<String> later = new HashSet<>();
        List<HeardMessage> all = new ArrayList<>();
        for (InboxRow row : newestFirst) {
            if (row.state() != InboxRow.State.ROUTED) {
                JsonNode event = StrictJson.parse(row.payload(), "an event of a message");
                later.add(event.path("messageId").asText());
                continue;
            }
            HeardMessage message = of(row);
            if (later.add(message.id())) {
                all.add(message);
            }
        }
        return all;
    }

    /** Reads a row of a message with an origin. */
    static HeardMessage of(InboxRow row) {
        SubmittedMessage message = SubmissionCodec.message(row.payload());
        MessageOrigin origin = message.origin();
        String key = message.dedupeKey();
        String id =
                origin.revision().isEmpty()
                        ? key
                        : key.substring(0, key.length() - origin.revision().length() - 1);
        return new HeardMessage(row, id, origin.sender(), origin.conversation(), message.text());
    }
}
