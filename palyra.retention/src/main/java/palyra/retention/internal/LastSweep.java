package palyra.retention.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The last sweep that went through all kinds, kept in the journal.
 *
 * @param atMillis its end, unix milliseconds by the system's clock
 * @param failure why it could not remove all that was due; empty when it could
 */
record LastSweep(long atMillis, String failure) {
    static final String COLLECTION = "retention";
    static final String KEY = "last-sweep";

    static Optional<LastSweep> of(Optional<Document> document) {
        return document.map(
                found -> {
                    JsonNode tree = StrictJson.parse(found.content(), "the last sweep");
                    return new LastSweep(
                            tree.path("atMillis").asLong(), tree.path("failure").asText());
                });
    }

    Operation.PutDocument document() {
        return new Operation.PutDocument(
                COLLECTION,
                KEY,
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("atMillis", atMillis)
                                .put("failure", failure)));
    }
}
