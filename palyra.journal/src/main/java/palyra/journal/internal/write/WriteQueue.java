package palyra.journal.internal.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit.Lane;
import palyra.journal.internal.JournalSettings;

/** The two lanes before the writer. Bounded in units and bytes. Thread-safe. */
public final class WriteQueue {
    /** The part of a group that the bulk lane gets while commands wait, so that it moves too. */
    private static final int BULK_SHARE = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Lane, ArrayDeque<Ticket<?>>> lanes = new EnumMap<>(Lane.class); // lock
    private JournalSettings.Writing bounds; // guarded by lock
    private long bytes; // guarded by lock
    private boolean closed; // guarded by lock
    private boolean writerWaits; // guarded by lock

    public WriteQueue(JournalSettings.Writing bounds) {
        this.bounds = bounds;
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new ArrayDeque<>());
        }
    }

    /** Changes the bounds from now on. */
    public void bounds(JournalSettings.Writing other) {
        lock.lock();
        try {
            bounds = other;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a ticket at the end of its lane. */
    public void offer(Ticket<?> ticket) {
        lock.lock();
        try {
            if (closed) {
                throw closing();
            }
            ArrayDeque<Ticket<?>> lane = lanes.get(ticket.lane());
            long more = ticket.task().bytes();
            if (lane.size() >= most(ticket.lane())
                    || (bytes > 0 && bytes + more > bounds.queueBytes())) {
                throw full(ticket.lane());
            }
            lane.add(ticket);
            bytes += more;
            if (writerWaits) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private int most(Lane lane) {
        return lane == Lane.COMMAND ? bounds.commandQueue() : bounds.bulkQueue();
    }

    /** Returns the refusal of everything once the journal is closing. */
    public static PalyraException closing() {
        return new PalyraException(
                ErrorCode.JOURNAL_UNAVAILABLE,
                "The journal is being stopped and takes nothing more; try again when it is back.");
    }

    private static PalyraException full(Lane lane) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The journal's "
                        + (lane == Lane.COMMAND ? "command" : "bulk")
                        + " queue is full; nothing happened, try again in a moment.");
    }

    /**
     * Returns the next group, commands first; empty when nothing came within {@code millis}.
     * Tickets whose callers gave up are left out.
     */
    List<Ticket<?>> take(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (size() == 0 && !closed && left > 0) {
                left = await(left);
            }
            if (size() > 0 && bounds.groupWaitMicros() > 0) {
                gather(TimeUnit.MICROSECONDS.toNanos(bounds.groupWaitMicros()));
            }
            return group();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the callers' loops look at the condition
    private long await(long nanos) throws InterruptedException {
        writerWaits = true;
        try {
            return changed.awaitNanos(nanos);
        } finally {
            writerWaits = false;
        }
    }

    private void gather(long nanos) throws InterruptedException {
        long left = nanos;
        while (size() < bounds.groupOperations() && !closed && left > 0) {
            left = await(left);
        }
    }

    private List<Ticket<?>> group() {
        List<Ticket<?>> group = new ArrayList<>(Math.min(size(), bounds.groupOperations()));
        int most = bounds.groupOperations();
        int bulk = lanes.get(Lane.BULK).isEmpty() ? 0 : Math.max(1, most / BULK_SHARE);
        int used = fill(group, Lane.COMMAND, Math.max(1, most - bulk));
        fill(group, Lane.BULK, used == 0 ? most : Math.min(bulk, Math.max(1, most - used)));
        return group;
    }

    /** Moves tickets, at least one, until {@code weight} is used up; returns the weight used. */
    private int fill(List<Ticket<?>> group, Lane from, int weight) {
        ArrayDeque<Ticket<?>> lane = lanes.get(from);
        int used = 0;
        while (!lane.isEmpty() && (used == 0 || used + lane.peek().task().weight() <= weight)) {
            Ticket<?> ticket = lane.poll();
            bytes -= ticket.task().bytes();
            if (ticket.take()) {
                used += ticket.task().weight();
                group.add(ticket);
            } else {
                ticket.task().settled();
            }
        }
        return used;
    }

    private int size() {
        return lanes.get(Lane.COMMAND).size() + lanes.get(Lane.BULK).size();
    }

    /** Returns how many tickets wait in a lane. */
    public int depth(Lane lane) {
        lock.lock();
        try {
            return lanes.get(lane).size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; what waits can still be taken out. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing waits and nothing more will come. */
    boolean finished() {
        lock.lock();
        try {
            return closed && size() == 0;
        } finally {
            lock.unlock();
        }
    }
}
