package palyra.sandbox.posix.internal.process;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import palyra.api.core.ops.Metric;

/** Counters of the launcher. Thread-safe. */
public final class Counters {
    private static final int MOST_UNCONFIRMED = 64;

    private final LongAdder launches = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder kills = new LongAdder();
    private final LongAdder leftovers = new LongAdder();
    private final Set<BooleanSupplier> unconfirmed = ConcurrentHashMap.newKeySet();
    private final LongAdder swept = new LongAdder();

    /** A process was started. */
    public void launched() {
        launches.increment();
    }

    /** A process could not be started. */
    public void failed() {
        failures.increment();
    }

    void killed() {
        kills.increment();
    }

    void left(int count) {
        leftovers.add(count);
    }

    /** Processes of an earlier gateway were killed. */
    public void swept(int count) {
        swept.add(count);
    }

    /** Processes of a command were not seen to end; {@code gone} looks again. */
    void unconfirmed(BooleanSupplier gone) {
        if (unconfirmed.size() >= MOST_UNCONFIRMED) {
            leftovers();
        }
        unconfirmed.add(gone);
    }

    /** Returns of how many commands processes are alive that a kill did not end. Looks for them. */
    public long leftovers() {
        unconfirmed.removeIf(BooleanSupplier::getAsBoolean);
        return unconfirmed.size();
    }

    /** Returns the current values; {@code running} is how many processes are not closed. */
    public List<Metric> metrics(int running) {
        return List.of(
                Metric.counter(
                        "palyra_sandbox_launches_total", "Processes started.", launches.sum()),
                Metric.counter(
                        "palyra_sandbox_launch_failures_total",
                        "Processes that could not be started.",
                        failures.sum()),
                Metric.counter(
                        "palyra_sandbox_kills_total",
                        "Commands that were killed while they ran.",
                        kills.sum()),
                Metric.counter(
                        "palyra_sandbox_leftovers_total",
                        "Processes that could not be confirmed dead after a kill.",
                        leftovers.sum()),
                Metric.counter(
                        "palyra_sandbox_swept_total",
                        "Processes of an earlier gateway that were killed at the start.",
                        swept.sum()),
                Metric.gauge("palyra_sandbox_processes", "Processes not yet closed.", running));
    }
}
