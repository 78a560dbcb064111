package palyra.sandbox.posix.internal.process;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;

/** Counters of the launcher. Thread-safe. */
public final class Counters {
    private final LongAdder launches = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder kills = new LongAdder();
    private final LongAdder leftovers = new LongAdder();
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

    /** Returns how many processes were left after kills. */
    public long leftovers() {
        return leftovers.sum();
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
