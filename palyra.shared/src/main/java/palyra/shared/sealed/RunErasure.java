package palyra.shared.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The erasure of a run's secrets: a note takes the place of the wrapped data key, for good. The
 * records stay and their verdict stays; what they keep sealed opens never again, and the run does
 * not go on.
 */
public final class RunErasure {
    /** Type of the journal's record of it. */
    public static final String RECORD = "run_secrets_erased";

    /** Collection of the keys of runs. */
    public static final String COLLECTION = RunKeys.COLLECTION;

    private static final String ERASED = "erased";

    private RunErasure() {}

    /**
     * Returns the change of the journal that puts the note in the key's place; it fails with
     * CONFLICT when the key was changed meanwhile.
     *
     * @param key the document as it is, with a key in it
     * @param by principal that erases
     * @param atMillis unix time in milliseconds
     * @param further records that say who permitted it
     */
    public static Unit unit(Document key, String by, long atMillis, Operation... further) {
        var note = JsonNodeFactory.instance.objectNode();
        note.putObject(ERASED).put("atMillis", atMillis).put("by", by);
        Unit.Builder unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(COLLECTION, key.key(), key.version()))
                        .add(new Operation.PutDocument(COLLECTION, key.key(), Jcs.bytes(note)));
        for (Operation operation : further) {
            unit.add(operation);
        }
        return unit.build();
    }

    /** Returns whether the key was erased. */
    public static boolean isErased(Document document) {
        return note(document).isPresent();
    }

    /** Throws CONFLICT, with who erased it and when, if it was. */
    static void refuse(Document document) {
        note(document)
                .ifPresent(
                        note -> {
                            throw new PalyraException(
                                    ErrorCode.CONFLICT,
                                    "The secrets of run "
                                            + document.key()
                                            + " were erased by "
                                            + note.path("by").asText()
                                            + " at "
                                            + Instant.ofEpochMilli(note.path("atMillis").asLong())
                                                    .truncatedTo(ChronoUnit.SECONDS)
                                            + ", so it cannot go on; start a new run.");
                        });
    }

    private static Optional<JsonNode> note(Document document) {
        JsonNode note = StrictJson.parse(document.content(), "a run's key").path(ERASED);
        return note.isObject() ? Optional.of(note) : Optional.empty();
    }
}
