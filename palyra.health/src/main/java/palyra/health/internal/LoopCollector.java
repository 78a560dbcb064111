package palyra.health.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;

/**
 * Asks every bundle for its loops, for {@code /readyz} and {@code /metrics}. Thread-safe. Each
 * source is behind a gate of its own, so none is deactivated while it is being asked.
 */
@Component(service = LoopCollector.class, immediate = true)
public final class LoopCollector {
    private static final Logger LOG = LoggerFactory.getLogger(LoopCollector.class);
    private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final IdentityHashMap<LoopSource, Gate<LoopSource>> sources =
            new IdentityHashMap<>(); // guarded by itself

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindLoopSource(LoopSource source, Map<String, ?> properties) {
        Gate<LoopSource> gate = new Gate<>("a source of loops", ErrorCode.INTERNAL, 0);
        gate.add(source, properties);
        synchronized (sources) {
            sources.put(source, gate);
        }
    }

    /** Called by the component runtime. */
    public void unbindLoopSource(LoopSource source) {
        Gate<LoopSource> gate;
        synchronized (sources) {
            gate = sources.remove(source);
        }
        if (gate != null) {
            gate.remove(source);
        }
    }

    /** Returns every loop of every source that answers, by name. */
    List<LoopView> loops() {
        List<Gate<LoopSource>> now;
        synchronized (sources) {
            now = List.copyOf(sources.values());
        }
        List<LoopView> loops = new ArrayList<>();
        now.forEach(gate -> loops.addAll(ask(gate)));
        loops.sort(Comparator.comparing(LoopView::name).thenComparing(LoopView::owner));
        return loops;
    }

    private static List<LoopView> ask(Gate<LoopSource> gate) {
        try (Gate.Lease<LoopSource> lease = gate.lease(0)) {
            return List.copyOf(lease.service().loops());
        } catch (RuntimeException | LinkageError e) { // its bundle may be on the way out
            LOG.debug("A source of loops failed.", e);
            return List.of();
        }
    }

    /** Returns what {@code /metrics} tells of the loops; leases do not nest, so under none. */
    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (LoopView loop : loops()) {
            Map<String, String> labels = Map.of("loop", loop.name());
            boolean up = loop.state() == LoopView.State.RUNNING;
            metrics.add(
                    new Metric(
                            "palyra_loop_up",
                            "Whether a long-lived loop works: 1, or 0.",
                            Metric.Type.GAUGE,
                            labels,
                            up ? 1 : 0));
            metrics.add(
                    new Metric(
                            "palyra_loop_restarts_total",
                            "Times that a long-lived loop began again after a failure.",
                            Metric.Type.COUNTER,
                            labels,
                            (double) loop.restarts()));
            metrics.add(
                    new Metric(
                            "palyra_loop_last_beat_seconds",
                            "Seconds since a long-lived loop last said that it is alive.",
                            Metric.Type.GAUGE,
                            labels,
                            loop.beatAgeMillis() / MILLIS));
        }
        return metrics;
    }
}
