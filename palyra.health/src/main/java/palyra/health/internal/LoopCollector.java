package palyra.health.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;

/**
 * Collects the supervised loops of every bundle, for {@code /readyz} and {@code /metrics}.
 * Thread-safe.
 */
@Component(service = LoopCollector.class, immediate = true)
public final class LoopCollector {
    private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final SourceGates<LoopSource> sources = new SourceGates<>("a source of loops");

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindLoopSource(LoopSource source, Map<String, ?> properties) {
        sources.add(source, properties);
    }

    /** Called by the component runtime. */
    public void unbindLoopSource(LoopSource source) {
        sources.remove(source);
    }

    /** Returns every loop of every source that answers, by name. */
    List<LoopView> loops() {
        List<LoopView> loops = sources.collect(LoopSource::loops, () -> {});
        loops.sort(Comparator.comparing(LoopView::name).thenComparing(LoopView::owner));
        return loops;
    }

    /** Returns the metrics of the loops. Not to be called under a lease: leases do not nest. */
    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (LoopView loop : loops()) {
            Map<String, String> labels = Map.of("loop", loop.name());
            boolean up = loop.state() == LoopView.State.RUNNING;
            metrics.add(
                    new Metric(
                            "palyra_loop_up",
                            "1 while a supervised loop runs, else 0.",
                            Metric.Type.GAUGE,
                            labels,
                            up ? 1 : 0));
            metrics.add(
                    new Metric(
                            "palyra_loop_restarts_total",
                            "Restarts of a supervised loop after a failure.",
                            Metric.Type.COUNTER,
                            labels,
                            (double) loop.restarts()));
            metrics.add(
                    new Metric(
                            "palyra_loop_last_beat_seconds",
                            "Seconds since the last heartbeat of a supervised loop.",
                            Metric.Type.GAUGE,
                            labels,
                            loop.beatAgeMillis() / MILLIS));
        }
        return metrics;
    }
}
