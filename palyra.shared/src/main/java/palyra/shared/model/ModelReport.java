package palyra.shared.model;

import java.util.List;
import java.util.Map;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;

/** How a provider is doing, for metrics and the doctor. */
public final class ModelReport {
    private final Endpoint endpoint;
    private final int running;
    private final CircuitBreaker.State breaker;
    private final ModelCounts counts;

    ModelReport(Endpoint endpoint, int running, CircuitBreaker.State breaker, ModelCounts counts) {
        this.endpoint = endpoint;
        this.running = running;
        this.breaker = breaker;
        this.counts = counts;
    }

    /** Returns its metrics. */
    public List<Metric> metrics() {
        List<Metric> metrics = counts.metrics();
        metrics.add(
                gauge(
                        "palyra_model_turns_running",
                        "Turns that a model provider works on now.",
                        running));
        metrics.add(
                gauge(
                        "palyra_model_circuit_open",
                        "Whether a model provider is not asked because it failed too often.",
                        breaker == CircuitBreaker.State.CLOSED ? 0 : 1));
        return metrics;
    }

    private Metric gauge(String name, String help, double value) {
        return new Metric(name, help, Metric.Type.GAUGE, Map.of("provider", endpoint.id()), value);
    }

    /** Returns what an operator should know. */
    public List<Finding> findings() {
        if (breaker == CircuitBreaker.State.CLOSED) {
            return List.of();
        }
        return List.of(
                new Finding(
                        Finding.Severity.WARNING,
                        "models",
                        "Model provider '"
                                + endpoint.id()
                                + "' failed "
                                + endpoint.breakerFailures()
                                + " times in a row, so it is asked only now and then.",
                        "Look at the error of the last runs, and whether "
                                + endpoint.baseUrl()
                                + " answers."));
    }
}
