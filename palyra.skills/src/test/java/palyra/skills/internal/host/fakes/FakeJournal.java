package palyra.skills.internal.host.fakes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.testing.journal.MemoryJournal;

/** A journal in memory that notes the changes of sessions, runs and the outbox. */
public final class FakeJournal {
    private final MemoryJournal service = new MemoryJournal();
    private final List<OutboxRow> outbox = new CopyOnWriteArrayList<>();
    private final List<Operation> others = new CopyOnWriteArrayList<>();
    private final List<String> runs = new CopyOnWriteArrayList<>();

    /** Creates an empty one. */
    public FakeJournal() {
        service.afterUnit(this::note);
    }

    private void note(Unit unit, Committed committed) {
        for (Operation operation :
                committed.replayed() ? List.<Operation>of() : unit.operations()) {
            switch (operation) {
                case Operation.PutOutbox put -> outbox.add(put.row());
                case Operation.InsertRun run -> {
                    runs.add(run.runId());
                    others.add(run);
                }
                case Operation.InsertSession session -> others.add(session);
                case Operation.MoveRun move -> others.add(move);
                case Operation.ArchiveSession archive -> others.add(archive);
                default -> {
                    // kept by the journal
                }
            }
        }
    }

    /** Takes no unit from now on. */
    public void takeNothing() {
        service.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
    }

    /** Returns events of a type. */
    public List<JsonNode> events(String type) {
        return service.events(type);
    }

    /** Returns the records of runs, in their order. */
    public List<TapeRecord> tape() {
        return runs.stream().flatMap(run -> service.records(run).stream()).toList();
    }

    /** Returns the changes of sessions and runs, in their order. */
    public List<Operation> others() {
        return List.copyOf(others);
    }

    /** Returns the rows of the outbox. */
    public List<OutboxRow> outbox() {
        return List.copyOf(outbox);
    }

    /** Returns the service. */
    public Journal service() {
        return service;
    }
}
