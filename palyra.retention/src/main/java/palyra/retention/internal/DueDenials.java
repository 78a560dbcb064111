package palyra.retention.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Records of denials in the stream {@code journal} that are older than a time. Decisions that
 * allowed something stay: tapes refer to them. The journal keeps how far a sweep came, so that the
 * next one reads only what is new. One thread uses it.
 */
final class DueDenials {
    static final String KEY = "denials";

    private static final int PAGE = 200;
    private static final String DECISION = "access_decision";
    private static final String SUMMARY = "access_denials_counted";
    private static final Set<String> DENIED = Set.of("deny", "no_decision");

    private final Gate<Journal> journal;
    private final long before;

    DueDenials(Gate<Journal> journal, long before) {
        this.journal = journal;
        this.before = before;
    }

    /** Goes through them; each part has the note how far it came. */
    void each(BooleanSupplier goesOn, DueRows.Sink sink) {
        long after = reached();
        while (goesOn.getAsBoolean()) {
            List<TapeRecord> page = page(after);
            if (page.isEmpty()) {
                return;
            }
            after = page.getLast().seq();
            Removed removes = Removed.NOTHING;
            List<Operation> operations = new ArrayList<>();
            for (TapeRecord record : page) {
                if (isDenial(record)) {
                    operations.add(
                            new Operation.ErasePayload(TapeRecord.JOURNAL_STREAM, record.seq()));
                    removes = removes.plus(Removed.erased(record.payload().length));
                }
            }
            operations.add(note(after));
            sink.add(Long.toString(after), operations, removes);
        }
    }

    /** Returns how many there are, at most {@code most}. */
    long count(long most, BooleanSupplier stopped) {
        long count = 0;
        long after = reached();
        while (count < most && !stopped.getAsBoolean()) {
            List<TapeRecord> page = page(after);
            if (page.isEmpty()) {
                break;
            }
            after = page.getLast().seq();
            count += page.stream().filter(DueDenials::isDenial).count();
        }
        return Math.min(most, count);
    }

    /** Returns the next records, up to the first that is not old enough. */
    private List<TapeRecord> page(long after) {
        return journal.call(j -> j.tape(TapeRecord.JOURNAL_STREAM, after, PAGE)).stream()
                .takeWhile(record -> record.timeMillis() < before)
                .toList();
    }

    private static boolean isDenial(TapeRecord record) {
        if (record.payload() == null) {
            return false;
        }
        if (!record.type().equals(DECISION)) {
            return record.type().equals(SUMMARY);
        }
        try {
            JsonNode decision = StrictJson.parse(record.payload(), "a decision");
            return DENIED.contains(decision.path("decision").asText());
        } catch (PalyraException e) {
            return false; // what cannot be read is kept
        }
    }

    private long reached() {
        return journal.call(j -> j.document(LastSweep.COLLECTION, KEY))
                .map(document -> StrictJson.parse(document.content(), "how far denials are erased"))
                .map(tree -> tree.path("seq").asLong())
                .orElse(0L);
    }

    private static Operation note(long seq) {
        return new Operation.PutDocument(
                LastSweep.COLLECTION,
                KEY,
                Jcs.bytes(JsonNodeFactory.instance.objectNode().put("seq", seq)));
    }
}
