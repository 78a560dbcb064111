package palyra.shared.channel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Reactions to a message that show what became of it: one in the unit that takes it, one when it is
 * over. In between a document keeps which form of the message counts (docs/formats.md,
 * channel_reaction). Pure.
 *
 * @param key {@code CONNECTOR/ID} with the platform's id of the message
 * @param version version of the document
 * @param inboxId form of the message that was taken last
 * @param conversation where
 */
public record StateReactions(String key, long version, String inboxId, Conversation conversation) {
    /** Collection of the documents. */
    public static final String COLLECTION = "channel_reaction";

    private static final String SEEN = "👀";

    /** Returns what the unit that takes a message has besides. */
    public static List<Operation> taken(
            String outboxId, String inboxId, String key, Conversation where) {
        StateReactions taken = new StateReactions(key, 0, inboxId, where);
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("inboxId", inboxId)
                .put("conversation", where.id())
                .put("thread", where.thread())
                .put("direct", where.direct());
        return List.of(
                new Operation.PutDocument(COLLECTION, key, Jcs.bytes(tree)),
                taken.put(outboxId, SEEN));
    }

    /** Undoes what {@link #taken} wrote. */
    public static StateReactions read(Document document) {
        JsonNode tree = StrictJson.parse(document.content(), "a reaction");
        return new StateReactions(
                document.key(),
                document.version(),
                tree.path("inboxId").asText(),
                new Conversation(
                        tree.path("conversation").asText(),
                        tree.path("thread").asText(),
                        tree.path("direct").asBoolean(),
                        ""));
    }

    /** Returns the reaction that shows how it ended. */
    public Operation put(String outboxId, String reaction) {
        int end = key.indexOf('/');
        return new Operation.PutOutbox(
                new OutboxRow(
                        outboxId,
                        "",
                        key.substring(0, end),
                        MessageOrigin.orderKey(conversation),
                        Outbound.state(key.substring(end + 1), reaction, conversation).bytes(),
                        OutboxRow.State.PENDING,
                        OutboxProgress.NONE,
                        0,
                        0));
    }
}
