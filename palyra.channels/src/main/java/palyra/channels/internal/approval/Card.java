package palyra.channels.internal.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * A message that asks for an approval, kept until it shows how the request ended.
 *
 * @param key the approval request alone for the message in the conversation of its run, else
 *     followed by what tells the place
 * @param outboxId message that asks
 * @param connector connector that sends it
 * @param orderKey conversation, as the outbox orders by it
 */
record Card(String key, String outboxId, String connector, String orderKey) {
    static final String COLLECTION = "channel_card";
    private static final int CODE_LENGTH = 6;

    /** Returns the key of a card in another place than the conversation of its run. */
    static String keyElsewhere(String approvalId, String account) {
        return approvalId + "/" + account;
    }

    String approvalId() {
        return approvalId(key);
    }

    /** Returns the approval request of a card's key. */
    static String approvalId(String key) {
        int end = key.indexOf('/');
        return end < 0 ? key : key.substring(0, end);
    }

    static Card read(Document document) {
        JsonNode tree = StrictJson.parse(document.content(), "a card");
        return new Card(
                document.key(),
                tree.path("outboxId").asText(),
                tree.path("connector").asText(),
                tree.path("orderKey").asText());
    }

    Operation put() {
        return new Operation.PutDocument(
                COLLECTION,
                key,
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("outboxId", outboxId)
                                .put("connector", connector)
                                .put("orderKey", orderKey)));
    }

    Operation delete() {
        return new Operation.DeleteDocument(COLLECTION, key);
    }

    /** Returns what people type where there are no buttons: the random end of the request's id. */
    static String code(String approvalId) {
        return approvalId.substring(approvalId.length() - CODE_LENGTH);
    }

    boolean isIn(String conversation, String ofConnector) {
        return connector.equals(ofConnector) && orderKey.equals(conversation);
    }
}
