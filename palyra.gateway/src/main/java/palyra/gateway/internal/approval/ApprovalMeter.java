package palyra.gateway.internal.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import palyra.api.core.ops.Metric;

/** Counts approval requests and their waiting times. Thread-safe. */
public final class ApprovalMeter {
    /** What came of a question, as the run that waited for it saw it. */
    public enum Outcome {
        /** Yes. */
        GRANTED,
        /** No. */
        DENIED,
        /** No answer arrived in time. */
        EXPIRED
    }

    private static final long[] BOUNDS_SECONDS = {
        1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, Long.MAX_VALUE
    };
    private static final int ASKED = 0;
    private static final int REMINDED = 1;
    private static final int WAITED_MILLIS = 2;
    private static final int ENDED = 3; // one of each outcome

    private final AtomicLongArray counts = new AtomicLongArray(ENDED + Outcome.values().length);
    private final AtomicLongArray waited = new AtomicLongArray(BOUNDS_SECONDS.length);

    /** Counts questions that were asked. */
    public void requested(int questions) {
        counts.addAndGet(ASKED, questions);
    }

    /** Counts a reminder. */
    public void reminded() {
        counts.incrementAndGet(REMINDED);
    }

    /** Counts an answer, or its absence, after a wait. */
    public void ended(Outcome outcome, long waitedMillis) {
        long waitedFor = Math.max(0, waitedMillis);
        counts.incrementAndGet(ENDED + outcome.ordinal());
        counts.addAndGet(WAITED_MILLIS, waitedFor);
        for (int i = 0; i < BOUNDS_SECONDS.length; i++) {
            if (waitedFor / 1_000.0 <= BOUNDS_SECONDS[i]) {
                waited.incrementAndGet(i);
            }
        }
    }

    /** Returns the values. */
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.counter(
                        "palyra_approvals_asked_total",
                        "Approval requests.",
                        (double) counts.get(ASKED)));
        metrics.add(
                Metric.counter(
                        "palyra_approvals_reminders_total",
                        "Reminders and escalations of pending approval requests.",
                        (double) counts.get(REMINDED)));
        for (Outcome outcome : Outcome.values()) {
            metrics.add(
                    new Metric(
                            "palyra_approvals_ended_total",
                            "Approval requests that were answered or expired.",
                            Metric.Type.COUNTER,
                            Map.of("outcome", outcome.name().toLowerCase(Locale.ROOT)),
                            (double) counts.get(ENDED + outcome.ordinal())));
        }
        addWaiting(metrics);
        return metrics;
    }

    private void addWaiting(List<Metric> metrics) {
        for (int i = 0; i < BOUNDS_SECONDS.length; i++) {
            boolean last = i == BOUNDS_SECONDS.length - 1;
            Map<String, String> bound =
                    Map.of("le", last ? "+Inf" : Long.toString(BOUNDS_SECONDS[i]));
            metrics.add(waiting("bucket", bound, waited.get(i)));
        }
        metrics.add(waiting("sum", Map.of(), counts.get(WAITED_MILLIS) / 1_000.0));
        metrics.add(waiting("count", Map.of(), waited.get(BOUNDS_SECONDS.length - 1)));
    }

    private static Metric waiting(String sample, Map<String, String> labels, double value) {
        return new Metric(
                "palyra_approvals_waiting_seconds_" + sample,
                "How long approval requests were pending until they ended.",
                Metric.Type.HISTOGRAM,
                labels,
                value);
    }
}
