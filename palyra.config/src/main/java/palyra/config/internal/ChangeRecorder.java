package palyra.config.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;

/**
 * Writes changes from files into the journal, in order; queues them while the journal is not
 * available. Stores the file's digest as a document with each event, so that a start finds changes
 * made while the gateway was down and records no change twice.
 *
 * <p>Used by one thread, apart from {@link #waiting}. Blocks for a short read at most: a commit is
 * submitted and checked at the next {@link #advance}.
 */
final class ChangeRecorder {
    static final int MAX_WAITING = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(ChangeRecorder.class);
    private static final int PAGE = 500;
    private static final long RETRY_NANOS = 2_000_000_000L;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final Gate<Journal> journal;
    private final Ulids ulids = new Ulids();
    private final Deque<Entry> queue = new ArrayDeque<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private Set<Source.Id> present; // null until every folder could be read
    private boolean compared;
    private long lost;
    private long lostInFlight;
    private PendingCommit pending;
    private long notBeforeNanos = System.nanoTime();

    ChangeRecorder(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** A change and its idempotency key. */
    private record Entry(Change change, String key) {}

    /** A submitted commit. */
    private record PendingCommit(CompletableFuture<Committed> result, long sinceNanos) {}

    /**
     * Sets the existing files, so that recorded files that were removed can be found. Call it only
     * when every folder could be read.
     */
    void known(Set<Source.Id> ids) {
        present = Set.copyOf(ids);
    }

    /** Adds a change; above a thousand waiting changes it is only counted. */
    void add(Change change) {
        if (queue.size() >= MAX_WAITING) {
            lost++;
            LOG.warn(
                    "The journal has been unavailable for too long: a change of {} is only"
                            + " counted.",
                    change.source());
            return;
        }
        queue.add(new Entry(change, ulids.next()));
        waiting.set(queue.size());
    }

    /** Returns how many changes are not in the journal yet. Any thread. */
    int waiting() {
        return waiting.get();
    }

    /** Finishes or submits a commit without waiting. */
    void advance() {
        if (pending != null && !finished()) {
            return;
        }
        if (!journal.isPresent() || System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        try {
            compareOnce();
            while (pending == null && !queue.isEmpty() && !submit(queue.peek())) {
                queue.remove();
                waiting.set(queue.size());
            }
        } catch (PalyraException e) {
            logRetry(e);
        }
    }

    private boolean finished() {
        if (!pending.result().isDone()) {
            if (System.nanoTime() - pending.sinceNanos() < PATIENCE_NANOS) {
                return false;
            }
            pending = null; // the journal stopped before it answered; the key makes a retry safe
            return true;
        }
        CompletableFuture<Committed> result = pending.result();
        pending = null;
        try {
            result.join();
            queue.remove();
            lost -= lostInFlight;
        } catch (CompletionException e) {
            failed(e.getCause() == null ? e : e.getCause());
        }
        waiting.set(queue.size());
        return true;
    }

    private void failed(Throwable cause) {
        ErrorCode code = cause instanceof PalyraException p ? p.code() : ErrorCode.INTERNAL;
        boolean hopeless =
                code == ErrorCode.INVALID_ARGUMENT || code == ErrorCode.IDEMPOTENCY_MISMATCH;
        if (hopeless) {
            Entry entry = queue.remove();
            LOG.error("The journal refuses the change of {}.", entry.change().source(), cause);
        } else {
            logRetry(cause);
        }
    }

    private void logRetry(Throwable cause) {
        notBeforeNanos = System.nanoTime() + RETRY_NANOS;
        LOG.debug("Changes of the configuration wait for the journal.", cause);
    }

    /**
     * Once, when the journal is first available: records the removal of recorded files that no
     * longer exist.
     */
    private void compareOnce() {
        if (compared || present == null) {
            return;
        }
        for (Document document : recorded()) {
            boolean gone =
                    present.stream().noneMatch(id -> ChangeRecord.key(id).equals(document.key()));
            boolean queued =
                    queue.stream()
                            .anyMatch(
                                    e ->
                                            ChangeRecord.key(e.change().source())
                                                    .equals(document.key()));
            if (gone && !queued) {
                ChangeRecord.removed(document).ifPresent(this::add);
            }
        }
        compared = true;
    }

    private List<Document> recorded() {
        List<Document> all = new ArrayList<>();
        List<Document> page;
        do {
            String after = all.isEmpty() ? "" : all.get(all.size() - 1).key();
            page = journal.call(j -> j.documents(ChangeRecord.COLLECTION, after, PAGE));
            all.addAll(page);
        } while (page.size() == PAGE);
        return all;
    }

    /** Submits the head of the queue; returns false when the journal has it already. */
    private boolean submit(Entry entry) {
        Change change = entry.change();
        Optional<Document> recorded =
                journal.call(
                        j ->
                                j.document(
                                        ChangeRecord.COLLECTION,
                                        ChangeRecord.key(change.source())));
        String before = recorded.map(ChangeRecord::digest).orElse("");
        if (before.equals(change.sha256())) {
            return false;
        }
        byte[] payload = ChangeRecord.payload(change);
        Unit.Builder unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(
                                        "configuration", entry.key(), Digests.sha256Hex(payload)),
                                new byte[0])
                        .add(ChangeRecord.event(ChangeRecord.CHANGED, payload))
                        .add(ChangeRecord.document(change));
        if (lost > 0) {
            unit.add(ChangeRecord.event(ChangeRecord.LOST, ChangeRecord.lostPayload(lost)));
        }
        CompletableFuture<Committed> result =
                journal.call(j -> j.submit(unit.build())).toCompletableFuture();
        lostInFlight = lost;
        pending = new PendingCommit(result, System.nanoTime());
        return true;
    }
}
