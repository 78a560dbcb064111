package palyra.transport.openai.internal.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;

/**
 * Which session goes on after which transcript. Each session has one transcript, its newest: an
 * older one, of a client that edits or regenerates, is unknown. Thread-safe.
 */
public final class TranscriptStore {
    static final String COLLECTION = "openai_transcript";
    private static final String SESSION = "sessionId";
    private static final int PAGE = 1_000;
    private static final int TRIM_EVERY = 50;
    private static final int MOST_COUNTED = 1_000;

    private final Gate<Journal> journal;
    private final Map<String, Integer> puts = // by principal; guarded by itself
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                    return size() > MOST_COUNTED; // one that comes again is trimmed at once
                }
            };

    /** Creates a store in the journal. */
    public TranscriptStore(Gate<Journal> journal) {
        this.journal = journal;
    }

    Optional<String> session(String principal, String fingerprint) {
        String key = key(principal, fingerprint);
        return journal.call(present -> present.document(COLLECTION, key))
                .map(found -> StrictJson.parse(found.content(), "a transcript"))
                .map(content -> content.path(SESSION))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
    }

    /**
     * Records the transcript that a session has now.
     *
     * @param before the one that it had; empty for none
     * @param most how many of a principal are kept
     */
    public void put(
            String principal, String fingerprint, String before, String sessionId, int most) {
        byte[] content = Jcs.bytes(JsonNodeFactory.instance.objectNode().put(SESSION, sessionId));
        Unit.Builder unit =
                Unit.builder()
                        .add(
                                new Operation.PutDocument(
                                        COLLECTION, key(principal, fingerprint), content));
        if (!before.isEmpty() && !before.equals(fingerprint)) {
            unit.add(new Operation.DeleteDocument(COLLECTION, key(principal, before)));
        }
        Commits.commit(journal, unit.build());
        if (isTrimDue(principal)) {
            trim(principal, most);
        }
    }

    /** Each principal counts for itself: one that asks little is trimmed as well. */
    private boolean isTrimDue(String principal) {
        synchronized (puts) {
            return puts.merge(principal, 1, Integer::sum) % TRIM_EVERY == 1;
        }
    }

    /** Forgets those of a principal that are unused for longest. */
    void trim(String principal, int most) {
        List<Document> own = new ArrayList<>();
        String prefix = principal + "/";
        String after = prefix;
        boolean more = true;
        while (more) {
            String from = after;
            List<Document> page =
                    journal.call(present -> present.documents(COLLECTION, from, PAGE));
            page.stream().filter(each -> each.key().startsWith(prefix)).forEach(own::add);
            more = page.size() == PAGE && page.getLast().key().startsWith(prefix);
            after = page.isEmpty() ? after : page.getLast().key();
        }
        if (own.size() > most) {
            own.sort(Comparator.comparingLong(Document::updatedAtMillis));
            Unit.Builder unit = Unit.builder();
            own.subList(0, Math.min(PAGE, own.size() - most))
                    .forEach(
                            each -> unit.add(new Operation.DeleteDocument(COLLECTION, each.key())));
            Commits.commit(journal, unit.build());
        }
    }

    private static String key(String principal, String fingerprint) {
        return principal + "/" + fingerprint; // no principal id holds a slash
    }
}
