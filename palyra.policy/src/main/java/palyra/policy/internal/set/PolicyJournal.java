package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;

/**
 * Events about policies on their way into the journal. They wait here while it is away and are
 * written once each, in order.
 */
final class PolicyJournal {
    static final String LOADED = "policy_loaded";
    static final String REFUSED = "policy_refused";
    static final String DIFFER = "policy_engines_differ";
    static final int MAX_WAITING = 200;

    private static final Logger LOG = LoggerFactory.getLogger(PolicyJournal.class);
    private static final long WAIT_MILLIS = 2_000;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Gate<Journal> journal;
    private final Ulids ulids = new Ulids();
    private final Deque<Event> waiting = new ArrayDeque<>(); // guarded by itself
    private long notBeforeNanos = System.nanoTime();

    /**
     * @param journal need not wait for an absent one
     */
    PolicyJournal(Gate<Journal> journal) {
        this.journal = journal;
    }

    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    private record Event(String key, String type, byte[] payload) {}

    /** Takes an event, from any thread; when too many wait already it is only logged. */
    void add(String type, ObjectNode payload) {
        synchronized (waiting) {
            if (waiting.size() < MAX_WAITING) {
                waiting.add(new Event(ulids.next(), type, Jcs.bytes(payload)));
                return;
            }
        }
        LOG.error("The journal is away too long; this event is only here: {} {}", type, payload);
    }

    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /** Writes what waits, as far as the journal takes it. Called by one thread. */
    void advance() {
        if (System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        for (Event next = head(); next != null && journal.isPresent(); next = head()) {
            if (!write(next)) {
                notBeforeNanos = System.nanoTime() + RETRY_NANOS;
                return;
            }
            synchronized (waiting) {
                waiting.poll();
            }
        }
    }

    private Event head() {
        synchronized (waiting) {
            return waiting.peek();
        }
    }

    /** Returns whether the event is done with. Its key makes writing it again harmless. */
    private boolean write(Event event) {
        Unit unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(
                                        "policy", event.key(), Digests.sha256Hex(event.payload())),
                                new byte[0])
                        .add(
                                new Operation.Append(
                                        TapeRecord.JOURNAL_STREAM,
                                        event.type(),
                                        1,
                                        event.payload()))
                        .build();
        try {
            CompletionStage<Committed> handedIn = journal.call(j -> j.submit(unit));
            handedIn.toCompletableFuture().get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | CompletionException e) {
            return canNeverBeWritten(event, e.getCause());
        } catch (PalyraException e) {
            return canNeverBeWritten(event, e);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean canNeverBeWritten(Event event, Throwable why) {
        ErrorCode code = why instanceof PalyraException p ? p.code() : ErrorCode.INTERNAL;
        boolean never =
                code == ErrorCode.INVALID_ARGUMENT || code == ErrorCode.IDEMPOTENCY_MISMATCH;
        if (never) {
            LOG.error("The journal refuses the event {}.", event.type(), why);
        } else {
            LOG.debug("The event {} waits for the journal.", event.type(), why);
        }
        return never;
    }
}
