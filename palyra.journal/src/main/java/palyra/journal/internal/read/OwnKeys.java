package palyra.journal.internal.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.table.Tables;
import palyra.shared.json.StrictJson;

/**
 * Whether the store is one of this gateway's keys. The document {@code state/known}, which
 * palyra.backup keeps, names the keys that were published here; while one of them is not published
 * any more, the store is another gateway's or the keys are lost, and no message is taken and no run
 * goes on. An operator who goes on without those keys changes that document. A store that does not
 * tell is taken as this gateway's. Thread-safe.
 */
public final class OwnKeys {
    public static final String COLLECTION = "state";
    public static final String KEY = "known";

    private static final int MOST_NAMED = 3;

    private final ReadPool readers;
    private final HeadSigner signer;
    private volatile boolean
            own; // once they are, for what is taken away later was taken away knowingly

    public OwnKeys(ReadPool readers, HeadSigner signer) {
        this.readers = readers;
        this.signer = signer;
    }

    /**
     * Looks before a unit.
     *
     * @throws PalyraException JOURNAL_UNAVAILABLE unless the unit only writes documents and events
     *     of the stream {@code journal}
     */
    public void require(Unit unit) {
        if (own || unit.operations().stream().allMatch(OwnKeys::isAllowed)) {
            return;
        }
        Set<String> missing = missing();
        if (!missing.isEmpty()) {
            throw refusal(missing);
        }
    }

    /** Returns the ids of the keys that are missing; empty too while no key store tells. */
    public Set<String> missing() {
        Optional<Set<String>> published = own ? Optional.empty() : signer.publishedNow();
        Set<String> missing = published.map(this::missing).orElse(Set.of());
        own |= published.isPresent() && missing.isEmpty();
        return missing;
    }

    private static boolean isAllowed(Operation operation) {
        return operation instanceof Operation.PutDocument
                || operation instanceof Operation.DeleteDocument
                || operation instanceof Operation.Append append
                        && append.streamId().equals(TapeRecord.JOURNAL_STREAM);
    }

    private Set<String> missing(Set<String> published) {
        Set<String> ids = new TreeSet<>();
        try {
            Optional<Document> known = readers.read(OwnKeys::known);
            if (known.isPresent()) {
                JsonNode root = StrictJson.parse(known.get().content(), "what was published");
                root.path("keys").forEach(id -> ids.add(id.asText()));
            }
        } catch (PalyraException e) {
            return Set.of(); // readiness does not know them either
        }
        ids.removeAll(published);
        return ids;
    }

    /** A damaged page of documents costs this look alone. */
    private static Optional<Document> known(Tables tables) {
        try {
            return tables.documents().find(COLLECTION, KEY);
        } catch (SQLException e) {
            return Optional.empty();
        }
    }

    private static PalyraException refusal(Set<String> missing) {
        String more = missing.size() > MOST_NAMED ? ", and " + (missing.size() - MOST_NAMED) : "";
        return new PalyraException(
                ErrorCode.JOURNAL_UNAVAILABLE,
                "The journal is another gateway's, or its keys are lost: this gateway lacks keys that"
                        + " were published with it ("
                        + missing.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + more
                        + "). No message is taken and no run goes on. Stop the gateway and put the"
                        + " folder keys or the journal of its backup back; to go on without them:"
                        + " palyra state accept.");
    }
}
