package palyra.gateway.internal.intake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Which session is the default one of a principal's device and channel. It bears their key, unless
 * a fresh one was begun while a run of that session had not ended: the busy session then keeps the
 * key until it ends by itself, the fresh one has a key of its own, and a document names it.
 *
 * @param key key of device and channel
 * @param keyed the live session with that key
 * @param current the default session; empty when it does not exist or was archived
 * @param document name of the document
 * @param version version of the document, 0 while no document exists
 */
record DefaultSession(
        String key,
        Optional<SessionView> keyed,
        Optional<SessionView> current,
        String document,
        long version) {
    private static final String COLLECTION = "default_session";
    private static final String SESSION = "sessionId";

    /** Reads which one it is. */
    static DefaultSession read(JournalReader journal, String principal, String key) {
        String name =
                Digests.hex(
                        Digests.tagged("palyra.default_session.v1").lp(principal).lp(key).bytes());
        Optional<Document> stored = journal.document(COLLECTION, name);
        Optional<SessionView> keyed = journal.sessionByKey(principal, key);
        return new DefaultSession(
                key,
                keyed,
                stored.isEmpty() ? keyed : named(journal, stored.get()),
                name,
                stored.map(Document::version).orElse(0L));
    }

    private static Optional<SessionView> named(JournalReader journal, Document stored) {
        String sessionId =
                StrictJson.parse(stored.content(), "the name of the default session")
                        .path(SESSION)
                        .asText();
        return journal.session(sessionId).filter(session -> session.archivedAtMillis() == 0);
    }

    /**
     * Returns the key of a fresh one.
     *
     * @param archived the session that is archived for it; empty when none is
     */
    String keyOf(String freshId, Optional<SessionView> archived) {
        return keyed.isEmpty() || keyed.equals(archived) ? key : key + "~" + freshId;
    }

    /** Adds what makes a fresh session the default one; of two at a time one is refused. */
    void addTo(Unit.Builder unit, SessionView fresh) {
        if (version == 0 && fresh.key().equals(key)) {
            return; // the key says it
        }
        unit.require(new Precondition.DocumentAt(COLLECTION, document, version))
                .add(
                        new Operation.PutDocument(
                                COLLECTION,
                                document,
                                Jcs.bytes(
                                        JsonNodeFactory.instance
                                                .objectNode()
                                                .put(SESSION, fresh.sessionId()))));
    }
}
