package palyra.journal.internal.write;

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
import palyra.shared.json.StrictJson;

/**
 * Whether the store is one of this gateway's keys. The document {@code state/known}, which
 * palyra.backup keeps, names the keys that were published here; while one of them is not published
 * any more, the store is another gateway's or the keys are lost, and no message is taken and no run
 * goes on. An operator who goes on without those keys changes that document. The writer's thread
 * uses it.
 */
final class OwnKeys {
    static final String COLLECTION = "state";
    static final String KEY = "known";

    private static final int MOST_NAMED = 3;

    private final HeadSigner signer;
    private boolean own; // once they are, for what is taken away later was taken away knowingly

    OwnKeys(HeadSigner signer) {
        this.signer = signer;
    }

    /**
     * Looks before a unit; without a key store there is nothing to compare with.
     *
     * @throws PalyraException JOURNAL_UNAVAILABLE unless the unit only writes documents and events
     *     of the stream {@code journal}
     */
    void require(WriteContext context, Unit unit) {
        if (own || unit.operations().stream().allMatch(OwnKeys::isAllowed)) {
            return;
        }
        Optional<Set<String>> published = signer.publishedNow();
        if (published.isEmpty()) {
            return;
        }
        Set<String> missing = known(context);
        missing.removeAll(published.get());
        if (!missing.isEmpty()) {
            throw refusal(missing);
        }
        own = true;
    }

    private static boolean isAllowed(Operation operation) {
        return operation instanceof Operation.PutDocument
                || operation instanceof Operation.DeleteDocument
                || operation instanceof Operation.Append append
                        && append.streamId().equals(TapeRecord.JOURNAL_STREAM);
    }

    /** A damaged page of documents keeps nothing from going on: verification tells of it. */
    private static Set<String> known(WriteContext context) {
        Set<String> ids = new TreeSet<>();
        try {
            Optional<Document> known = context.tables().documents().find(COLLECTION, KEY);
            if (known.isPresent()) {
                JsonNode root = StrictJson.parse(known.get().content(), "what was published");
                root.path("keys").forEach(id -> ids.add(id.asText()));
            }
        } catch (PalyraException | SQLException e) {
            return ids; // readiness does not know them either
        }
        return ids;
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
