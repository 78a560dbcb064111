package palyra.retention.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;

/**
 * Removes one kind, in units of a few hundred operations on the bulk lane. Each unit has the
 * journal event that tells what it removes. A run or a row that the journal refuses to remove is
 * passed over; any other failure ends the sweep, and the next does what is left. One thread uses
 * it.
 */
final class Sweep {
    /** Journal event: something was removed because of its age. */
    static final String EVENT = "retention_removed";

    private static final int MOST_OPERATIONS = 400;
    private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Set<ErrorCode> OF_ONE =
            EnumSet.of(ErrorCode.CONFLICT, ErrorCode.NOT_FOUND, ErrorCode.CORRUPT);

    private final Gate<Journal> journal;
    private final BooleanSupplier stopped;
    private final Kind kind;
    private final long before;
    private final List<Item> waiting = new ArrayList<>();
    private int operations;
    private Removed removed = Removed.NOTHING;

    /** What is removed together: of one run, or one row. */
    private record Item(String id, List<Operation> operations, Removed removes) {}

    /**
     * @param before unix milliseconds
     * @param stopped asked between units; the sweep ends once it says true
     */
    Sweep(Gate<Journal> journal, Kind kind, long before, BooleanSupplier stopped) {
        this.journal = journal;
        this.kind = kind;
        this.before = before;
        this.stopped = stopped;
    }

    /**
     * Removes all that is due.
     *
     * @throws PalyraException when the journal cannot be used; {@link #removed} tells what was
     *     removed until then
     */
    void run() {
        if (kind == Kind.DENIALS) {
            eraseDenials();
        } else if (kind.rows().isEmpty()) {
            new DueRuns(journal, kind, before).each(this::goesOn, this::add, this::skip);
        } else {
            new DueRows(journal, kind, before).each(this::goesOn, this::add);
        }
        flush();
    }

    private void eraseDenials() {
        try {
            new DueDenials(journal, before).each(this::goesOn, this::add);
        } catch (PalyraException e) {
            skip(e);
        }
    }

    private boolean goesOn() {
        return !stopped.getAsBoolean();
    }

    /** Returns what was removed. */
    Removed removed() {
        return removed;
    }

    private void skip(PalyraException failure) {
        if (!OF_ONE.contains(failure.code())) {
            throw failure;
        }
        removed = removed.plus(Removed.skipped(failure.getMessage()));
    }

    private void add(String id, List<Operation> more, Removed removes) {
        if (operations + more.size() > MOST_OPERATIONS) {
            flush();
        }
        waiting.add(new Item(id, List.copyOf(more), removes));
        operations += more.size();
    }

    private void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Item> items = List.copyOf(waiting);
        waiting.clear();
        operations = 0;
        try {
            commit(items);
        } catch (PalyraException e) {
            if (!OF_ONE.contains(e.code())) {
                throw e;
            }
            items.forEach(this::commitAlone);
        }
    }

    private void commitAlone(Item item) {
        try {
            commit(List.of(item));
        } catch (PalyraException e) {
            skip(e);
        }
    }

    private void commit(List<Item> items) {
        Removed sum = items.stream().map(Item::removes).reduce(Removed.NOTHING, Removed::plus);
        Unit.Builder unit = Unit.builder().lane(Unit.Lane.BULK);
        items.forEach(item -> unit.addAll(item.operations()));
        if (!sum.isNothing()) {
            unit.add(event(items, sum));
        }
        Unit built = unit.build().makingRoom(); // the note of denials is a document
        long began = System.nanoTime();
        journal.run(present -> present.commit(built)); // a repeated removal does no harm
        removed = removed.plus(sum);
        rest(System.nanoTime() - began);
    }

    /** Leaves the medium to others for as long as the unit took. */
    private void rest(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(Math.min(nanos, MOST_REST_NANOS)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "The sweep was interrupted; the next goes on.", e);
        }
    }

    private Operation.Append event(List<Item> items, Removed sum) {
        ObjectNode payload =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", kind.word())
                        .put("beforeMillis", before)
                        .put("runs", sum.runs())
                        .put("records", sum.records())
                        .put("rows", sum.rows())
                        .put("payloadBytes", sum.bytes());
        if (kind == Kind.TAPES) {
            items.forEach(item -> payload.withArray("runIds").add(item.id()));
        } else {
            payload.put("first", items.getFirst().id()).put("last", items.getLast().id());
        }
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, EVENT, 1, Jcs.bytes(payload));
    }
}
