package palyra.gateway.internal.engine.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetExceeded;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.engine.lease.Fence;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.tape.TapeCodec;

/**
 * One run's tape as its worker writes and folds it. Every write needs the engine's lease and the
 * run's epoch; records that others appended meanwhile are read and folded in their place. Used by
 * the run's worker only, except for the completion of bulk writes.
 */
public final class RunLog {
    private static final int PAGE = 500;
    private static final long RETRY_MILLIS = 250;
    private static final long SETTLE_SECONDS = 60;
    private static final Ulids IDS = new Ulids();

    /** Streamed text as it is folded, where it only has a place: nothing keeps the text itself. */
    private static final TapeEvent STREAMED = new TapeEvent.ModelToken(0, 0, "");

    private record Seen(long timeMillis, TapeEvent event) {}

    private final String runId;
    private final Fence fence;
    private final Gate<Journal> journal;
    private final BooleanSupplier stopping;
    private final RunSecrets secrets;
    private final RunSnapshots snapshots;
    private RunHistory history = new RunHistory();
    private final String writer = IDS.next(); // makes the keys of its steps its own
    private long steps;
    private int attempts; // forgotten once something of the run is done
    private StreamedText underWay; // null unless streamed text is being written
    private final ConcurrentSkipListMap<Long, Seen> seen =
            new ConcurrentSkipListMap<>(); // written, not yet folded

    /**
     * Creates a log that has read nothing yet.
     *
     * @param secrets redacts secrets in records before they are written
     * @param attempts how often in a row engines tried the run in vain
     * @param room for snapshots that are on their way to the journal
     */
    public RunLog(
            String runId,
            Fence fence,
            Gate<Journal> journal,
            RunSecrets secrets,
            BooleanSupplier stopping,
            int attempts,
            Semaphore room) {
        this.runId = runId;
        this.fence = fence;
        this.journal = journal;
        this.secrets = secrets;
        this.snapshots = new RunSnapshots(runId, fence, journal, secrets, room);
        this.stopping = stopping;
        this.attempts = attempts;
    }

    public RunHistory history() {
        return history;
    }

    /** Returns the run's secrets. */
    public RunSecrets secrets() {
        return secrets;
    }

    /** Searches from now on for the values that calls of the run were lent by now. */
    public void readLent() {
        patiently(
                () -> {
                    secrets.readLent();
                    return true;
                });
    }

    /** Returns a text that may be told, waiting for a vault that is being replaced. */
    public String withoutSecrets(String text) {
        return patiently(() -> secrets.text(text));
    }

    /** Returns an output as it is recorded, told to the model, and attested to. */
    public TapeEvent.ToolCallOutput withoutSecrets(TapeEvent.ToolCallOutput output) {
        return patiently(() -> FeedRedactor.output(output, secrets));
    }

    /** Folds the records that were committed elsewhere as the beginning of this run. */
    public void begin(List<TapeEvent> events, Committed committed) {
        note(events, committed);
        settle(lastOf(committed));
    }

    /**
     * Folds the records on the tape that were not folded yet: at first those after the run's
     * snapshot, or all of them without a snapshot, later those that others appended meanwhile.
     */
    public void catchUp() {
        if (history.seq() > 0 || !wentOnFromSnapshot()) {
            readOn();
        }
        snapshots.offer(history);
    }

    private boolean wentOnFromSnapshot() {
        Optional<RunHistory> snapshot = patiently(snapshots::read);
        if (snapshot.isEmpty()) {
            return false;
        }
        try {
            history = snapshot.get();
            readOn();
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            snapshots.wrong(e.getMessage());
            seen.clear();
            history = new RunHistory();
            return false;
        }
    }

    private void readOn() {
        while (readPage() > 0) {
            settle(seen.lastKey()); // one page at a time is in memory
        }
        settle(seen.isEmpty() ? history.seq() : seen.lastKey());
    }

    /**
     * Throws CONFLICT when the run's secrets were erased: it would go on with placeholders in place
     * of what was said and called.
     */
    public void requireSecrets() {
        patiently(
                () -> {
                    secrets.requireNotErased();
                    return true;
                });
    }

    private int readPage() {
        long after = Math.max(history.seq(), seen.isEmpty() ? 0 : seen.lastKey());
        return readAfter(after);
    }

    private int readAfter(long after) {
        List<TapeRecord> page = patiently(j -> j.tape(runId, after, PAGE));
        for (TapeRecord record : page) {
            seen.putIfAbsent(record.seq(), event(record));
        }
        return page.size();
    }

    private Seen event(TapeRecord record) {
        return TapeCodec.isStreamed(record)
                ? new Seen(record.timeMillis(), STREAMED)
                : new Seen(record.timeMillis(), patiently(() -> secrets.read(record)));
    }

    /**
     * Appends events and applies further operations as one unit, durably, and folds the events.
     * Secrets go into sealed parts before anything is written, and are not folded but for the
     * inputs of proposed calls. Each unit is a step of the run's tape: while it is not known
     * whether it happened, it is handed in again as the same step, so that it happens once.
     */
    public Committed commit(List<? extends TapeEvent> events, List<? extends Operation> others) {
        return commit(List.of(), events, others);
    }

    /** The same, if something more holds; CONFLICT otherwise, and nothing happened. */
    public Committed commit(
            List<Precondition> more,
            List<? extends TapeEvent> events,
            List<? extends Operation> others) {
        if (underWay != null) {
            isWritten(underWay); // one step after the other
        }
        RunSecrets.Prepared prepared = patiently(() -> secrets.prepare(events));
        List<Operation> redacted =
                new ArrayList<>(patiently(() -> FeedRedactor.operations(others, secrets)));
        boolean progress = attempts > 0 && events.stream().anyMatch(RunLog::isDone);
        if (progress) {
            redacted.add(0, new Operation.NoteAttempts(runId, 0));
        }
        Unit unit = unit(more, prepared.appends(), redacted, Unit.Lane.COMMAND);
        Committed committed = once(unit);
        attempts = progress ? 0 : attempts;
        secrets.written(prepared);
        if (committed.replayed()) {
            catchUp(); // the first answer was lost; the tape has what it said
        } else {
            note(prepared.events(), committed);
            settle(lastOf(committed));
            snapshots.offer(history);
        }
        return committed;
    }

    /** Returns whether an event says that something was brought to its end. */
    private static boolean isDone(TapeEvent event) {
        return event instanceof TapeEvent.TurnFinished || event instanceof TapeEvent.ToolCallOutput;
    }

    /** Appends to a tape that is not folded, as its end. */
    void commitUnread(List<? extends TapeEvent> events, List<? extends Operation> others) {
        RunSecrets.Prepared prepared = patiently(() -> secrets.prepare(events));
        List<Operation> redacted = patiently(() -> FeedRedactor.operations(others, secrets));
        once(unit(List.of(), prepared.appends(), redacted, Unit.Lane.COMMAND));
        secrets.written(prepared);
    }

    /**
     * Appends streamed text, which holds no secrets any more, on the bulk lane. Fold happens with
     * the next {@link #commit}, which waits until it is known what became of the text.
     */
    public StreamedText append(TapeEvent event) {
        Unit unit =
                unit(List.of(), List.of(TapeCodec.append(runId, event)), List.of(), Unit.Lane.BULK);
        underWay = new StreamedText(event, unit, submit(unit));
        return underWay;
    }

    /** Streamed text on its way to the tape. */
    public record StreamedText(TapeEvent event, Unit unit, CompletionStage<Committed> written) {}

    private CompletionStage<Committed> submit(Unit unit) {
        try {
            return journal.call(j -> j.submit(unit))
                    .whenComplete(
                            (done, failure) -> {
                                if (done != null) {
                                    note(List.of(STREAMED), done);
                                }
                            });
        } catch (PalyraException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Waits until it is known what became of streamed text; false when it was refused and is not on
     * the tape.
     *
     * @throws PalyraException STALE_EPOCH when another engine holds the run
     */
    public boolean isWritten(StreamedText text) {
        underWay = null;
        try {
            text.written().toCompletableFuture().get(SETTLE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerStopped("interrupted");
        } catch (TimeoutException e) {
            throw new WorkerStopped("streamed text could not be written for a minute");
        } catch (ExecutionException e) {
            return wasWritten(text, e.getCause());
        }
    }

    /** Text of which it is not known whether it was written is written again as the same step. */
    private boolean wasWritten(StreamedText text, Throwable refusal) {
        if (refusal instanceof PalyraException p && p.code() == ErrorCode.STALE_EPOCH) {
            throw p;
        }
        if (!(refusal instanceof PalyraException p) || p.code() != ErrorCode.OUTCOME_UNKNOWN) {
            return false;
        }
        Committed committed = once(text.unit());
        if (!committed.replayed()) {
            note(List.of(STREAMED), committed);
        } // else it is read with the next look at the tape
        return true;
    }

    private Committed once(Unit unit) {
        return patiently(() -> Commits.commit(journal, unit, () -> !stopping.getAsBoolean()));
    }

    private Unit unit(
            List<Precondition> more,
            List<Operation.Append> appends,
            List<? extends Operation> others,
            Unit.Lane lane) {
        Unit.Builder unit =
                Unit.builder()
                        .lane(lane)
                        .step(runId, writer + "." + ++steps)
                        .require(fence.held())
                        .require(new Precondition.Epoch(runId, fence.epoch()));
        more.forEach(unit::require);
        return unit.addAll(appends).addAll(others).build();
    }

    private void note(List<? extends TapeEvent> events, Committed committed) {
        int index = 0;
        for (Committed.Position position : committed.appended()) {
            if (position.streamId().equals(runId) && index < events.size()) {
                seen.put(position.seq(), new Seen(position.timeMillis(), events.get(index++)));
            }
        }
    }

    private long lastOf(Committed committed) {
        long last = history.seq();
        for (Committed.Position position : committed.appended()) {
            if (position.streamId().equals(runId)) {
                last = Math.max(last, position.seq());
            }
        }
        return last;
    }

    private void settle(long upTo) {
        while (history.seq() < upTo) {
            Map.Entry<Long, Seen> first = seen.firstEntry();
            if (first == null || first.getKey() > history.seq() + 1) {
                int read = readAfter(history.seq());
                if (read == 0 || seen.firstKey() > history.seq() + 1) {
                    throw new PalyraException(
                            ErrorCode.CORRUPT,
                            "Record "
                                    + (history.seq() + 1)
                                    + " of run "
                                    + runId
                                    + " is missing; run palyra tape verify.");
                }
                continue;
            }
            seen.remove(first.getKey());
            if (first.getKey() > history.seq()) {
                history.apply(
                        first.getKey(), first.getValue().timeMillis(), first.getValue().event());
            }
        }
    }

    /** Returns when this is still the only engine; before anything that the tape does not stop. */
    public void confirm() {
        try {
            patiently(
                    () -> {
                        fence.confirm();
                        return true;
                    });
        } catch (PalyraException e) {
            throw new WorkerStopped("another engine has its runs: " + e.getMessage());
        }
    }

    private <R> R patiently(Function<Journal, R> call) {
        return patiently(() -> journal.call(call));
    }

    /** Calls the journal, waiting out what may pass: its absence, a full disk, a full queue. */
    private <R> R patiently(Supplier<R> call) {
        while (true) {
            try {
                return call.get();
            } catch (PalyraException e) {
                if (e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                    throw new WorkerStopped("a write was not confirmed; the tape will tell");
                }
                if (!mayPass(e.code()) || BudgetExceeded.in(e)) {
                    throw e;
                }
                if (stopping.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw new WorkerStopped("the engine stops while the journal cannot be written");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
            }
        }
    }

    private static boolean mayPass(ErrorCode code) {
        return switch (code) {
            case JOURNAL_UNAVAILABLE,
                    KEYS_UNAVAILABLE,
                    DISK_FULL,
                    READ_ONLY,
                    RESOURCE_EXHAUSTED,
                    TIMED_OUT ->
                    true;
            default -> false;
        };
    }
}
