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
import palyra.models.internal.TurnMeter;

/** Counts how a provider's turns ended since its start. Thread-safe. */
final class ModelCounts {
    private final String provider;
    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final TurnMeter meter;
    private volatile Failure last;

    /** A failure and its time. */
    record Failure(ModelEvent.Failed event, Instant at) {}

    ModelCounts(String provider) {
        this.provider = provider;
        this.meter = new TurnMeter(provider);
    }

    /**
     * Counts an end and what the turn took; {@code how} is null when the sink was closed before.
     */
    void ended(ModelEvent how, long nanos) {
        if (how instanceof ModelEvent.Finished finish) {
            meter.finished(finish, nanos);
        }
        ended(how);
    }

    /** Counts an end; null when the sink was closed before. */
    void ended(ModelEvent how) {
        if (how == null) {
            abandoned.increment();
        } else if (how instanceof ModelEvent.Finished) {
            finished.increment();
        } else if (how instanceof ModelEvent.Failed refusal
                && refusal.cause() == FailureCause.CIRCUIT_OPEN) {
            refused.increment(); // a waiting run retries often
        } else {
            failed.increment();
            if (how instanceof ModelEvent.Failed failure && concernsServer(failure.cause())) {
                last = new Failure(failure, Instant.now());
            }
        }
    }

    /** A cancelled turn says nothing about the server. */
    private static boolean concernsServer(FailureCause cause) {
        return cause != FailureCause.CANCELLED;
    }

    /** Returns the last failure caused by the server; empty before the first. */
    Optional<Failure> lastFailure() {
        return Optional.ofNullable(last);
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(turns("finished", finished));
        metrics.add(turns("failed", failed));
        metrics.add(turns("abandoned", abandoned));
        metrics.add(turns("refused", refused));
        metrics.addAll(meter.metrics());
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
