package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Writes connections into the journal. That one is about to be made is durable before it is; what
 * became of it, and denials, follow on a thread of its own as soon as the journal takes them.
 * Denials are recorded one by one up to a number a second; the next that is recorded tells how many
 * were not. Thread-safe.
 */
final class ConnectionLog implements AutoCloseable {
    static final int DENIALS_A_SECOND = 20;
    static final int MOST_WAITING = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final String SCOPE = "network.connect";
    private static final long RETRY_MILLIS = 500;
    private static final long LAST_MILLIS = 3_000;
    private static final Backoff BACKOFF =
            new Backoff(
                    Duration.ofMillis(RETRY_MILLIS), Duration.ofSeconds(5), Duration.ofMinutes(1));

    private final Gate<Journal> journal;
    private final Ulids ids = new Ulids();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Waiting> waiting = new ArrayDeque<>(); // guarded by lock
    private final SupervisedLoop writer;
    private boolean closed; // guarded by lock
    private long second; // guarded by lock
    private int inSecond; // guarded by lock
    private long unrecorded; // guarded by lock
    private long lost; // guarded by lock

    private record Waiting(String type, ObjectNode payload, String key) {}

    ConnectionLog(Gate<Journal> journal) {
        this.journal = journal;
        LoopSpec spec = LoopSpec.of("palyra-sandbox-egress-journal", "palyra.sandbox");
        writer = new SupervisedLoop(spec.withBackoff(BACKOFF), this::write).start();
    }

    String nextId() {
        return ids.next();
    }

    /**
     * Records a connection that is about to be made; durable when this returns.
     *
     * @throws RefusedException when it is not: then it must not be made
     */
    void opening(String id, ConnectionRequest request, Permit permit, List<InetAddress> addresses) {
        try {
            Unit unit =
                    Unit.of(
                            append(
                                    ConnectionRecord.CONNECT,
                                    ConnectionRecord.allowed(id, request, permit, addresses)));
            journal.run(present -> present.commit(unit)); // never tried again, so without a key
        } catch (PalyraException e) {
            throw new RefusedException(
                    Reason.JOURNAL,
                    e.code(),
                    "A connection to "
                            + request.hostAndPort()
                            + " was not made because it could not be recorded: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Records what became of a connection, now or when the journal is back. */
    void closed(String id, ObjectNode entry) {
        enqueue(new Waiting(ConnectionRecord.CLOSED, entry, id + "/end"));
    }

    /** Records a denial, now or when the journal is back, unless there are too many. */
    void denied(ConnectionRequest request, Reason code, String reason) {
        long before;
        lock.lock();
        try {
            long now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
            inSecond = now == second ? inSecond + 1 : 1;
            second = now;
            if (inSecond > DENIALS_A_SECOND) {
                unrecorded++;
                return;
            }
            before = unrecorded;
            unrecorded = 0;
        } finally {
            lock.unlock();
        }
        String id = nextId();
        enqueue(
                new Waiting(
                        ConnectionRecord.CONNECT,
                        ConnectionRecord.denied(id, request, code, reason, before),
                        id));
    }

    private void enqueue(Waiting event) {
        lock.lock();
        try {
            if (waiting.size() >= MOST_WAITING) {
                Waiting gone = waiting.remove();
                lost++;
                LOG.error(
                        "The journal has been unavailable too long; lost event: {} {}",
                        gone.type(),
                        gone.payload());
            }
            waiting.add(event);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return writer.view();
    }

    private void write(Heartbeat pulse) {
        while (true) {
            pulse.idle();
            Waiting next = next();
            pulse.beat();
            if (next == null) {
                return;
            }
            boolean done = written(next);
            lock.lock();
            try {
                if (done) {
                    waiting.remove(next); // the oldest, unless it was lost meanwhile
                } else if (closed) {
                    LOG.error("The journal is unavailable; {} events are lost.", waiting.size());
                    return;
                } else {
                    pause(RETRY_MILLIS);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns the oldest event, or null when the log is closed and empty. */
    private Waiting next() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                pause(60_000);
            }
            return waiting.peek();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the callers loop
    private void pause(long millis) {
        try {
            changed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closed = true; // only close() interrupts this thread
        }
    }

    private boolean written(Waiting event) {
        try {
            commit(event);
            return true;
        } catch (PalyraException e) {
            boolean hopeless =
                    e.code() == ErrorCode.INVALID_ARGUMENT
                            || e.code() == ErrorCode.IDEMPOTENCY_MISMATCH;
            if (hopeless) {
                LOG.error("The journal refuses {} {}.", event.type(), event.payload(), e);
            }
            return hopeless;
        } catch (RuntimeException e) {
            LOG.error("The journal failed on {}.", event.type(), e);
            return false;
        }
    }

    private void commit(Waiting event) {
        Operation.Append append = append(event.type(), event.payload());
        IdempotencyKey key =
                new IdempotencyKey(SCOPE, event.key(), Digests.sha256Hex(append.payload()));
        Unit unit = Unit.builder().once(key, new byte[0]).add(append).build();
        journal.run(present -> present.commit(unit));
    }

    private static Operation.Append append(String type, ObjectNode payload) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, 1, Jcs.bytes(payload));
    }

    /** Returns how many events are not in the journal yet. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many events were lost since the start. */
    long lost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what waits, if the journal takes it soon, and ends. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            writer.stop();
            if (!writer.join(LAST_MILLIS)) {
                writer.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
