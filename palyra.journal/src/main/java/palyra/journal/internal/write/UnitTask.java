package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.table.CutPayload;

/** A unit with its payloads made ready: salted, committed to, and in files where they are large. */
public final class UnitTask implements WriterTask<Committed> {
    private static final long MOST_TO_MAKE_ROOM = 16 << 10;

    private final Unit unit;
    private final List<PreparedPayload> payloads;
    private final Map<Operation, CutPayload> cut; // of messages and answers
    private final PayloadFiles files;
    private final long bytes;
    private final boolean appendsOnly;
    private final boolean signs;
    private final boolean freesOnly;

    /** Takes over the pins of the payloads. */
    UnitTask(
            Unit unit,
            List<PreparedPayload> payloads,
            Map<Operation, CutPayload> cut,
            PayloadFiles files) {
        this.unit = unit;
        this.payloads = payloads;
        this.cut = cut;
        this.files = files;
        // Looked at here, on the caller's thread, because the writer asks for each more than once.
        List<Operation> operations = unit.operations();
        this.bytes =
                payloads.stream().mapToLong(payload -> payload.bytes().length).sum()
                        + operations.stream().mapToLong(UnitTask::snapshotBytes).sum();
        this.appendsOnly = operations.stream().allMatch(Operation.Append.class::isInstance);
        this.signs = operations.stream().anyMatch(UnitTask::seals);
        this.freesOnly =
                operations.stream().allMatch(one -> frees(one) || tells(one)) && !appendsOnly;
    }

    @Override
    public Committed apply(WriteContext context) throws SQLException {
        Optional<IdempotencyKey> key = unit.idempotencyKey();
        if (key.isPresent()) {
            Optional<byte[]> stored = context.tables().idempotency().find(key.get());
            if (stored.isPresent()) {
                return new Committed(true, stored.get(), List.of());
            }
        }
        if (unit.step().isPresent() && context.heads().taken(unit.step().get())) {
            return new Committed(true, new byte[0], List.of());
        }
        Preconditions preconditions = new Preconditions(context);
        for (Precondition precondition : unit.preconditions()) {
            preconditions.require(precondition);
        }
        List<Committed.Position> positions = operate(context);
        if (key.isPresent()) {
            long openMillis = context.time().openMillis();
            context.tables().idempotency().put(key.get(), unit.result(), openMillis);
        }
        if (unit.step().isPresent()) {
            context.heads().take(unit.step().get());
        }
        return new Committed(false, unit.result(), positions);
    }

    private List<Committed.Position> operate(WriteContext context) throws SQLException {
        Set<String> ending = new LinkedHashSet<>();
        Appender appender = new Appender(context);
        Operations operations = new Operations(context, ending, cut);
        List<Committed.Position> positions = new ArrayList<>(payloads.size());
        requireOpen(appender);
        int next = 0;
        for (Operation operation : unit.operations()) {
            if (operation instanceof Operation.Append append) {
                positions.add(appender.append(append, payloads.get(next++)));
            } else {
                operations.apply(operation);
            }
        }
        for (String runId : ending) {
            appender.seal(runId);
        }
        return positions;
    }

    /** Without a savepoint every refusal must come before the first write. */
    private void requireOpen(Appender appender) throws SQLException {
        if (refusesBeforeWriting()) {
            for (Operation operation : unit.operations()) {
                appender.requireOpen(((Operation.Append) operation).streamId());
            }
        }
    }

    @Override
    public int weight() {
        return Math.max(1, unit.operations().size());
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean refusesBeforeWriting() {
        return appendsOnly;
    }

    @Override
    public boolean signs() {
        return signs;
    }

    @Override
    public boolean whenSpaceIsShort() {
        return freesOnly || (unit.makesRoom() && bytes <= MOST_TO_MAKE_ROOM);
    }

    private static long snapshotBytes(Operation operation) {
        return operation instanceof Operation.PutSnapshot put ? put.snapshot().content().length : 0;
    }

    private static boolean seals(Operation operation) {
        return operation instanceof Operation.MoveRun move && move.to().terminal();
    }

    /** What made room is told in the same unit. */
    private static boolean tells(Operation operation) {
        return operation instanceof Operation.Append append
                && append.streamId().equals(TapeRecord.JOURNAL_STREAM);
    }

    private static boolean frees(Operation operation) {
        return operation instanceof Operation.ErasePayload
                || operation instanceof Operation.NoteRunPayloads
                || operation instanceof Operation.DropSettled
                || operation instanceof Operation.DeleteDocument;
    }

    @Override
    public void settled() {
        for (PreparedPayload payload : payloads) {
            if (!payload.file().isEmpty()) {
                files.unpin(payload.file());
            }
        }
    }
}
