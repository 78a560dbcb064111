package palyra.retention.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.SettledKind;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/** Runs that ended before a time and whose tape has payloads to erase. One thread uses it. */
final class DueRuns {
    private static final int PAGE = 100;
    private static final int RECORDS = 500;
    private static final int MOST_OPERATIONS = 400;
    private static final Set<OutboxRow.State> NOT_SETTLED =
            Set.of(OutboxRow.State.PENDING, OutboxRow.State.SENDING, OutboxRow.State.UNKNOWN);

    private final Gate<Journal> journal;
    private final Kind kind;
    private final long before;

    DueRuns(Gate<Journal> journal, Kind kind, long before) {
        this.journal = journal;
        this.kind = kind;
        this.before = before;
    }

    private List<RunPayloads> levels() {
        return kind == Kind.TAPES
                ? List.of(RunPayloads.WHOLE, RunPayloads.WITHOUT_STREAM)
                : List.of(RunPayloads.WHOLE);
    }

    /**
     * Goes through them.
     *
     * @param failed takes the failure of one run; the others go on unless it throws
     */
    void each(BooleanSupplier goesOn, DueRows.Sink sink, Consumer<PalyraException> failed) {
        eachRun(
                goesOn,
                run -> {
                    try {
                        remove(run, sink);
                    } catch (PalyraException e) {
                        failed.accept(e);
                    }
                });
    }

    private void eachRun(BooleanSupplier goesOn, Consumer<RunRow> take) {
        for (RunPayloads level : levels()) {
            String[] after = {""};
            while (goesOn.getAsBoolean()) {
                List<RunRow> page = journal.call(j -> j.endedRuns(level, before, after[0], PAGE));
                for (RunRow run : page) {
                    if (!goesOn.getAsBoolean()) {
                        return;
                    }
                    take.accept(run);
                }
                if (page.size() < PAGE) {
                    break;
                }
                after[0] = page.getLast().runId();
            }
        }
    }

    /** Returns how many there are, at most {@code most}. */
    long count(long most, BooleanSupplier stopped) {
        long[] count = {0};
        eachRun(() -> count[0] < most && !stopped.getAsBoolean(), run -> count[0]++);
        return count[0];
    }

    /** The note that the run is done comes last, with the last of its records. */
    private void remove(RunRow run, DueRows.Sink sink) {
        String runId = run.runId();
        Parts parts = new Parts(runId, sink);
        if (kind == Kind.TAPES) {
            addRows(run, parts);
        }
        long[] after = {0};
        while (true) {
            List<TapeRecord> page = journal.call(j -> j.tape(runId, after[0], RECORDS));
            if (page.isEmpty()) {
                break;
            }
            page.stream().filter(this::erases).forEach(parts::erase);
            after[0] = page.getLast().seq();
        }
        parts.end(kind == Kind.TAPES ? RunPayloads.NONE : RunPayloads.WITHOUT_STREAM);
    }

    private boolean erases(TapeRecord record) {
        return record.payload() != null
                && (kind == Kind.TAPES || TapeCodec.isStreamedType(record.type()));
    }

    /** What else has the text of the run. */
    private void addRows(RunRow run, Parts parts) {
        for (OutboxRow row : journal.call(j -> j.outboxOf(run.runId()))) {
            if (NOT_SETTLED.contains(row.state())) {
                throw new PalyraException(
                        ErrorCode.CONFLICT,
                        "Run "
                                + run.runId()
                                + " is kept: its answer "
                                + row.outboxId()
                                + " is "
                                + row.state()
                                + ".");
            }
            parts.drop(SettledKind.ANSWER, row.outboxId());
        }
        journal.call(j -> j.inbox(run.messageId()))
                .ifPresent(row -> parts.drop(SettledKind.MESSAGE, row.messageId()));
        ApprovalFilter ofRun =
                new ApprovalFilter(Optional.empty(), "", "", "", run.runId(), "", 0, 0);
        String[] after = {""};
        while (true) {
            List<ApprovalRow> page = journal.call(j -> j.approvals(ofRun, after[0], PAGE));
            page.forEach(row -> parts.drop(SettledKind.APPROVAL, row.approvalId()));
            if (page.size() < PAGE) {
                return;
            }
            after[0] = page.getLast().approvalId();
        }
    }

    /** The operations of one run, handed on in parts that a unit takes. */
    private final class Parts {
        private final String runId;
        private final DueRows.Sink sink;
        private final List<Operation> operations = new ArrayList<>();
        private Removed removes = Removed.NOTHING;
        private boolean touched; // whether anything of the run is removed

        Parts(String runId, DueRows.Sink sink) {
            this.runId = runId;
            this.sink = sink;
        }

        void drop(SettledKind rows, String id) {
            add(new Operation.DropSettled(rows, id, before), Removed.dropped(1));
        }

        void erase(TapeRecord record) {
            add(
                    new Operation.ErasePayload(runId, record.seq()),
                    Removed.erased(record.payload().length));
        }

        private void add(Operation operation, Removed removed) {
            if (operations.size() == MOST_OPERATIONS) {
                hand();
            }
            operations.add(operation);
            removes = removes.plus(removed);
            touched = true;
        }

        private void hand() {
            sink.add(runId, operations, removes);
            operations.clear();
            removes = Removed.NOTHING;
        }

        void end(RunPayloads left) {
            operations.add(new Operation.NoteRunPayloads(runId, left));
            removes = removes.plus(touched ? Removed.ofRun() : Removed.NOTHING);
            hand();
        }
    }
}
