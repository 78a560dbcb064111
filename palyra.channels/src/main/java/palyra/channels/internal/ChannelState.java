package palyra.channels.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;

/**
 * What an operator let a connector do, kept in the journal.
 *
 * @param flow what it does
 * @param by who said so; empty for the beginning
 */
public record ChannelState(Flow flow, String by) {
    private static final String COLLECTION = "channel_state";

    /** What a connector does. */
    public enum Flow {
        /** It takes messages in and sends. */
        RUNNING,
        /** It takes messages in and sends nothing. */
        PAUSED,
        /** It takes no messages in and sends what waits. */
        DRAINING
    }

    static ChannelState read(Gate<Journal> journal, String connector) {
        return journal.call(store -> store.document(COLLECTION, connector))
                .map(document -> StrictJson.parse(document.content(), "the state of a connector"))
                .map(ChannelState::of)
                .orElse(new ChannelState(Flow.RUNNING, ""));
    }

    private static ChannelState of(JsonNode tree) {
        return new ChannelState(Flow.valueOf(tree.path("flow").asText()), tree.path("by").asText());
    }

    void write(Gate<Journal> journal, String connector) {
        byte[] content =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("flow", flow.name())
                                .put("by", by));
        Commits.commit(journal, Unit.of(new Operation.PutDocument(COLLECTION, connector, content)));
    }
}
