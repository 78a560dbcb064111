package palyra.tools.internal.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;
import palyra.api.tape.TapeEvent.Outcome;

/** Counts of what happened to calls. Labels are bounded: tools that were installed, by outcome. */
final class CallMetrics {
    private record Ended(String tool, Outcome outcome) {}

    private final Map<Ended, LongAdder> ended = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final LongAdder abandoned = new LongAdder();

    void ended(String tool, Outcome outcome) {
        ended.computeIfAbsent(new Ended(tool, outcome), key -> new LongAdder()).increment();
    }

    void refused() {
        refused.increment();
    }

    void abandoned() {
        abandoned.increment();
    }

    List<Metric> metrics(int running, int leftBehind, int kept) {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(Metric.gauge("palyra_tool_calls_running", "Tool calls that run now.", running));
        metrics.add(
                Metric.gauge(
                        "palyra_tool_threads_left_behind",
                        "Threads of tool calls that have not stopped after a stop request.",
                        leftBehind));
        metrics.add(
                Metric.gauge(
                        "palyra_tool_outcomes_kept",
                        "Outcomes of tool calls that are still kept.",
                        kept));
        metrics.add(
                Metric.counter(
                        "palyra_tool_calls_refused_total",
                        "Tool calls that were not started.",
                        (double) refused.sum()));
        metrics.add(
                Metric.counter(
                        "palyra_tool_calls_abandoned_total",
                        "Tool calls that did not stop after a stop request.",
                        (double) abandoned.sum()));
        ended.forEach((key, count) -> metrics.add(calls(key, count.sum())));
        return metrics;
    }

    private static Metric calls(Ended key, long count) {
        return new Metric(
                "palyra_tool_calls_total",
                "Tool calls that ended, by tool and outcome.",
                Metric.Type.COUNTER,
                Map.of(
                        "tool",
                        key.tool(),
                        "outcome",
                        key.outcome().name().toLowerCase(Locale.ROOT)),
                (double) count);
    }
}
