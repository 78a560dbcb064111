package palyra.sandbox.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;

/** Counts of runs, and the alarm when something of one could not be ended. Thread-safe. */
public final class RunCounts {
    private record Kind(Tier tier, RunOutcome outcome) {}

    private final Map<Kind, LongAdder> ended = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final LongAdder leftBehind = new LongAdder();
    private volatile String lastLeak = "";

    void refused() {
        refused.increment();
    }

    void ended(Tier tier, RunResult result) {
        ended.computeIfAbsent(new Kind(tier, result.outcome()), kind -> new LongAdder())
                .increment();
        if (result.leftBehind() > 0) {
            leftBehind.add(result.leftBehind());
            lastLeak = result.callId() + " (" + result.enforcement() + ")";
        }
    }

    /** Returns the values; {@code running} is how many run now. */
    public List<Metric> metrics(int running) {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.gauge(
                        "palyra_sandbox_running", "Sandboxed commands that run now.", running));
        metrics.add(
                Metric.counter(
                        "palyra_sandbox_refused_total",
                        "Sandboxed commands that were refused before anything started.",
                        refused.sum()));
        metrics.add(
                Metric.counter(
                        "palyra_sandbox_left_behind_total",
                        "Processes of sandboxed commands that could not be confirmed dead.",
                        leftBehind.sum()));
        ended.forEach(
                (kind, count) ->
                        metrics.add(
                                new Metric(
                                        "palyra_sandbox_runs_total",
                                        "Sandboxed commands that ended, by tier and outcome.",
                                        Metric.Type.COUNTER,
                                        Map.of(
                                                "tier",
                                                lower(kind.tier),
                                                "outcome",
                                                lower(kind.outcome)),
                                        count.sum())));
        return metrics;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the alarm; empty while every process could be ended. */
    public List<Finding> findings() {
        long count = leftBehind.sum();
        return count == 0
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "sandbox",
                                count
                                        + " processes of sandboxed commands could not be confirmed"
                                        + " dead, last of call "
                                        + lastLeak
                                        + ".",
                                "Look for them with ps, end them, and restart the gateway; with"
                                        + " a writable cgroup all processes are ended reliably."));
    }
}
