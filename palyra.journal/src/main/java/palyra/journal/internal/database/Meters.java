package palyra.journal.internal.database;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the store, from the start of the process. Thread-safe. */
public final class Meters {
    public final LongAdder groups = new LongAdder();
    public final LongAdder units = new LongAdder();
    public final LongAdder refused = new LongAdder();
    public final LongAdder payloadBytes = new LongAdder();
    public final LongAdder commitNanos = new LongAdder();
    public final LongAdder checkpoints = new LongAdder();
    public final LongAdder clockJumps = new LongAdder();
    public final LongAdder reads = new LongAdder();
    public final AtomicLong largestGroup = new AtomicLong();

    /** A group became durable. */
    public void committed(int unitCount, long nanos) {
        groups.increment();
        units.add(unitCount);
        commitNanos.add(nanos);
        largestGroup.accumulateAndGet(unitCount, Math::max);
    }
}
