package palyra.models.internal.http;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.shared.model.ProviderState;

/** State of a provider for metrics, the doctor and {@code models list}. */
public final class ModelReport {
    private final Endpoint endpoint;
    private final int running;
    private final CircuitBreaker.State breaker;
    private final long leftMillis;
    private final ModelCounts counts;

    ModelReport(Endpoint endpoint, int running, CircuitBreaker breaker, ModelCounts counts) {
        this.endpoint = endpoint;
        this.running = running;
        this.breaker = breaker.state();
        this.leftMillis = breaker.leftMillis();
        this.counts = counts;
    }

    /**
     * Returns the state under the keys of {@link ProviderState}. A circuit whose open time is over
     * is reported as half open, because the next turn decides.
     */
    public Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        boolean open = breaker == CircuitBreaker.State.OPEN && leftMillis > 0;
        state.put(
                ProviderState.CIRCUIT,
                breaker == CircuitBreaker.State.CLOSED ? "closed" : open ? "open" : "half-open");
        if (open) {
            state.put(ProviderState.OPEN_UNTIL, seconds(Instant.now().plusMillis(leftMillis)));
        }
        counts.lastFailure()
                .ifPresent(
                        last -> {
                            state.put(ProviderState.FAILURE, last.event().cause().name());
                            state.put(ProviderState.FAILED_AT, seconds(last.at()));
                        });
        return state;
    }

    private static String seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns the metrics. */
    public List<Metric> metrics() {
        List<Metric> metrics = counts.metrics();
        metrics.add(
                gauge("palyra_model_turns_running", "Running turns of a model provider.", running));
        metrics.add(
                gauge(
                        "palyra_model_circuit_open",
                        "1 while the circuit of a model provider is open or half open, else 0.",
                        breaker == CircuitBreaker.State.CLOSED ? 0 : 1));
        return metrics;
    }

    private Metric gauge(String name, String help, double value) {
        return new Metric(name, help, Metric.Type.GAUGE, Map.of("provider", endpoint.id()), value);
    }

    /** Returns the findings. */
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
                                + " times in a row, so its circuit is open.",
                        "See the errors of the last runs, and check whether "
                                + endpoint.baseUrl()
                                + " answers."));
    }
}
