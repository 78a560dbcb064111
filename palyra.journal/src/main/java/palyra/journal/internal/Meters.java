package palyra.journal.internal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the store counts about itself, from the start of the process. Thread-safe. */
final class Meters {
    final LongAdder groups = new LongAdder();
    final LongAdder units = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder payloadBytes = new LongAdder();
    final LongAdder commitNanos = new LongAdder();
    final LongAdder checkpoints = new LongAdder();
    final LongAdder clockJumps = new LongAdder();
    final LongAdder reads = new LongAdder();
    final AtomicLong largestGroup = new AtomicLong();

    /** A group became durable. */
    void committed(int unitCount, long nanos) {
        groups.increment();
        units.add(unitCount);
        commitNanos.add(nanos);
        largestGroup.accumulateAndGet(unitCount, Math::max);
    }
}
