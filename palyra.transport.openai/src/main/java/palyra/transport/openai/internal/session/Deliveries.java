package palyra.transport.openai.internal.session;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The runs whose answer was written to a client as a whole, as far as memory goes back: to the
 * start of this server, or to the newest of those that had to make room. Thread-safe.
 */
public final class Deliveries {
    static final int MOST = 10_000;

    private final LongSupplier clock;
    private final Map<String, Long> runs = new LinkedHashMap<>(); // guarded by this; oldest first
    private long since; // guarded by this

    /** Creates a memory that begins now; {@code clock} tells unix milliseconds. */
    public Deliveries(LongSupplier clock) {
        this.clock = clock;
        this.since = clock.getAsLong();
    }

    /** The whole answer of a run was written. */
    public synchronized void add(String runId) {
        runs.putIfAbsent(runId, clock.getAsLong());
        if (runs.size() > MOST) {
            Iterator<Long> oldest = runs.values().iterator();
            since = Math.max(since, oldest.next());
            oldest.remove();
        }
    }

    /**
     * Returns whether the answer of a run that has ended was written.
     *
     * @param endedAtMillis when the run ended; unix time
     * @return empty when it ended before what is remembered
     */
    synchronized Optional<Boolean> of(String runId, long endedAtMillis) {
        if (runs.containsKey(runId)) {
            return Optional.of(true);
        }
        return endedAtMillis > since ? Optional.of(false) : Optional.empty();
    }
}
