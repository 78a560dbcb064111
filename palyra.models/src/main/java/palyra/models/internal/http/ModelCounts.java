package palyra.models.internal.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

/** How a provider's turns ended, since it is there. Thread-safe. */
final class ModelCounts {
    private final String provider;
    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Failure last;

    /** A failure and when it was. */
    record Failure(ModelEvent.Failed event, Instant at) {}

    ModelCounts(String provider) {
        this.provider = provider;
    }

    /** Counts an end; null when nobody listened to it. */
    void ended(ModelEvent how) {
        if (how == null) {
            abandoned.increment();
        } else if (how instanceof ModelEvent.Finished) {
            finished.increment();
        } else if (how instanceof ModelEvent.Failed refusal
                && refusal.cause() == FailureCause.CIRCUIT_OPEN) {
            refused.increment(); // a run that waits asks again and again
        } else {
            failed.increment();
            if (how instanceof ModelEvent.Failed failure && saysSomething(failure.cause())) {
                last = new Failure(failure, Instant.now());
            }
        }
    }

    /** That somebody gave up says nothing of the server. */
    private static boolean saysSomething(FailureCause cause) {
        return cause != FailureCause.CANCELLED;
    }

    /** Returns the last failure that says something of the server; empty when there was none. */
    Optional<Failure> lastFailure() {
        return Optional.ofNullable(last);
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(turns("finished", finished));
        metrics.add(turns("failed", failed));
        metrics.add(turns("abandoned", abandoned));
        metrics.add(turns("refused", refused));
        return metrics;
    }

    private Metric turns(String result, LongAdder count) {
        return new Metric(
                "palyra_model_turns_total",
                "Turns that a model provider ended, by how they ended.",
                Metric.Type.COUNTER,
                Map.of("provider", provider, "result", result),
                count.sum());
    }
}
