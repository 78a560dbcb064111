package palyra.models.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;
import palyra.api.model.ModelEvent;

/** How long a provider's finished turns took, and their tokens as it counted them. Thread-safe. */
public final class TurnMeter {
    private static final long[] BOUNDS_SECONDS = {1, 2, 5, 10, 30, 60, 120, 300, Long.MAX_VALUE};
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String provider;
    private final LongAdder[] within = new LongAdder[BOUNDS_SECONDS.length];
    private final LongAdder nanosTaken = new LongAdder();
    private final LongAdder input = new LongAdder();
    private final LongAdder output = new LongAdder();

    /** Begins for a provider's id. */
    public TurnMeter(String provider) {
        this.provider = provider;
        for (int i = 0; i < within.length; i++) {
            within[i] = new LongAdder();
        }
    }

    /** Counts a turn. */
    public void finished(ModelEvent.Finished turn, long nanos) {
        for (int i = 0; i < within.length; i++) {
            boolean last = i == within.length - 1;
            if (last || nanos <= TimeUnit.SECONDS.toNanos(BOUNDS_SECONDS[i])) {
                within[i].increment();
            }
        }
        nanosTaken.add(nanos);
        input.add(turn.inputTokens());
        output.add(turn.outputTokens());
    }

    /** Returns the values. */
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < within.length; i++) {
            boolean last = i == within.length - 1;
            metrics.add(
                    seconds(
                            "bucket",
                            Map.of(
                                    "provider",
                                    provider,
                                    "le",
                                    last ? "+Inf" : Long.toString(BOUNDS_SECONDS[i])),
                            within[i].sum()));
        }
        Map<String, String> labels = Map.of("provider", provider);
        metrics.add(seconds("sum", labels, nanosTaken.sum() / NANOS));
        metrics.add(seconds("count", labels, within[within.length - 1].sum()));
        metrics.add(tokens("input", input));
        metrics.add(tokens("output", output));
        return metrics;
    }

    private static Metric seconds(String sample, Map<String, String> labels, double value) {
        return new Metric(
                "palyra_model_turn_seconds_" + sample,
                "How long finished turns of a model provider took.",
                Metric.Type.HISTOGRAM,
                labels,
                value);
    }

    private Metric tokens(String direction, LongAdder count) {
        return new Metric(
                "palyra_model_tokens_total",
                "Tokens of finished turns, as the model provider counted them.",
                Metric.Type.COUNTER,
                Map.of("provider", provider, "direction", direction),
                (double) count.sum());
    }
}
