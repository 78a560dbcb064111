package palyra.journal.internal.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Judgement;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.journal.internal.table.StreamHeads;
import palyra.journal.internal.table.VerifyTable;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * Verifies the whole store: the caller and one more thread take a few streams in turn. Streams are
 * handed out in order, so that the first fault in that order is found although the other thread may
 * be further on already.
 */
final class StoreScan {
    private static final int BATCH = 32;
    private static final int MANY = 512;
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int NONE = Integer.MAX_VALUE;

    private final StoreVerifier verifier;
    private final CheckpointScan checkpoints;
    private final VerifiedNote note;
    private final AtomicLong seen = new AtomicLong(); // records, those of unfinished batches too
    private final ReentrantLock turn = new ReentrantLock(); // of who reads what comes next
    private List<VerifyTable.Target> first; // guarded by turn; null once it was handed out
    private String lastRun = ""; // guarded by turn
    private boolean runsDone; // guarded by turn
    private boolean exhausted; // guarded by turn
    private int batches; // guarded by turn
    private volatile boolean stopped;
    private boolean complete = true; // this and what follows is guarded by this
    private int faultBatch = NONE;
    private Optional<Fault> fault = Optional.empty();
    private RuntimeException failure; // null unless it cannot go on
    private long streams;
    private long records;
    private long withheld;
    private long seals;
    private Judgement judgement = Judgement.NONE;
    private long earlier;

    /**
     * Begins before the first stream.
     *
     * @param checkpoints which were verified; what they cover needs no look at its signature
     * @param note what was verified before and is left out
     */
    StoreScan(
            StoreVerifier verifier,
            VerifyTable.Target journal,
            CheckpointScan checkpoints,
            VerifiedNote note) {
        this.verifier = verifier;
        this.checkpoints = checkpoints;
        this.note = note;
        this.first = List.of(note.known(journal));
    }

    private record Batch(int number, List<VerifyTable.Target> targets) {}

    /** Verifies everything; {@code cancelled} is asked by the calling thread alone. */
    VerificationReport run(BooleanSupplier cancelled) {
        Thread helper = new Thread(() -> work(() -> stopped), "palyra-journal-verify");
        helper.setDaemon(true);
        helper.start();
        try {
            work(cancelled);
            while (!helper.join(LOOK)) {
                stopped |= cancelled.getAsBoolean();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.TIMED_OUT, "The caller of a verification was interrupted.", e);
        } finally {
            stopped = true;
        }
        return report();
    }

    private synchronized VerificationReport report() {
        if (failure != null) {
            throw failure;
        }
        return new VerificationReport(
                streams, records, withheld, seals, complete, fault, judgement, earlier);
    }

    /** Returns how many records were verified so far. Any thread may ask. */
    long seen() {
        return seen.get();
    }

    private void work(BooleanSupplier cancelled) {
        Supplier<HeadKeys> keys = verifier.keysAskedOnce();
        try {
            while (goesOn(cancelled)) {
                Optional<Batch> batch = next();
                if (batch.isEmpty()) {
                    return;
                }
                StreamScan walk = verifier.walk(batch.get().targets(), keys, checkpoints::covers);
                add(batch.get().number(), verifier.go(walk, counting(walk, cancelled)));
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private BooleanSupplier counting(StreamScan walk, BooleanSupplier cancelled) {
        long[] told = {0};
        return () -> {
            long now = walk.records();
            seen.addAndGet(now - told[0]);
            told[0] = now;
            return cancelled.getAsBoolean();
        };
    }

    /** Returns false after a fault or a failure, and when it is cancelled with work left. */
    private boolean goesOn(BooleanSupplier cancelled) {
        boolean cancel = stopped || cancelled.getAsBoolean();
        synchronized (this) {
            if (faultBatch != NONE || failure != null) {
                return false;
            }
            if (cancel) {
                stopped = true;
                complete = false;
            }
            return !cancel;
        }
    }

    /** Returns the next streams; none when all were handed out. */
    private Optional<Batch> next() {
        turn.lock();
        try {
            List<VerifyTable.Target> targets = first == null ? runs() : first;
            first = null;
            return targets.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Batch(batches++, targets));
        } finally {
            turn.unlock();
        }
    }

    private List<VerifyTable.Target> runs() {
        if (exhausted) {
            return List.of();
        }
        try {
            if (runsDone) {
                orphans();
                return List.of();
            }
            List<VerifyTable.Target> targets = nextRuns();
            if (targets.isEmpty()) {
                orphans();
            }
            return targets;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            exhausted = true;
            String where = lastRun.isEmpty() ? "runs" : "runs after " + lastRun;
            found(batches++, new Fault(where, 0, Kind.UNREADABLE, e.getMessage()));
            return List.of();
        }
    }

    /** Returns runs that are to be looked at; none when there are no more. */
    private List<VerifyTable.Target> nextRuns() {
        int limit = note.verified().isPresent() ? MANY : BATCH;
        while (!runsDone && !stopped) {
            List<VerifyTable.Target> page = verifier.runsAfter(lastRun, limit);
            runsDone = page.size() < limit;
            lastRun = page.isEmpty() ? lastRun : page.getLast().streamId();
            List<VerifyTable.Target> left =
                    page.stream().filter(run -> !note.covers(run, checkpoints)).toList();
            leftOut(page.size() - left.size());
            if (!left.isEmpty()) {
                return left;
            }
        }
        return List.of();
    }

    private synchronized void leftOut(int runs) {
        earlier += runs;
    }

    /** After all runs: is anything there that belongs to none? */
    private void orphans() {
        long after = StreamHeads.JOURNAL_NO;
        while (!stopped) {
            StoreVerifier.Orphans page = verifier.orphansAfter(after);
            if (page.first().isPresent()) {
                found(batches++, page.first().get());
            }
            if (page.first().isPresent() || page.last()) {
                exhausted = true;
                return;
            }
            after = page.next();
        }
    }

    private synchronized void add(int batch, VerificationReport more) {
        complete &= more.complete();
        streams += more.streams();
        records += more.records();
        withheld += more.withheld();
        seals += more.seals();
        judgement = judgement.plus(more.judgement());
        more.fault().ifPresent(one -> found(batch, one));
    }

    private synchronized void found(int batch, Fault one) {
        if (batch < faultBatch) {
            faultBatch = batch;
            fault = Optional.of(one);
        }
    }

    private synchronized void failed(RuntimeException e) {
        failure = failure == null ? e : failure;
        stopped = true;
    }
}
