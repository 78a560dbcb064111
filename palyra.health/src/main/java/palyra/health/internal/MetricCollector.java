package palyra.health.internal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.gate.Gate;

/**
 * Asks everybody for metrics. Thread-safe. Each source stands behind a gate of its own, so none is
 * deactivated while it is being asked; one that fails is left out and counted. Doctor and, once for
 * each name, the log tell which values are left out.
 */
@Component(
        service = {MetricCollector.class, FindingSource.class},
        immediate = true)
public final class MetricCollector implements FindingSource {
    private static final Logger LOG = LoggerFactory.getLogger(MetricCollector.class);

    private static final String REMEDY =
            "Two bundles give it the same labels or another type, or a label is malformed; please"
                    + " report it with the output of palyra bundles.";

    private final IdentityHashMap<MetricSource, Gate<MetricSource>> sources =
            new IdentityHashMap<>(); // guarded by itself
    private final LoopCollector loops;
    private final AtomicLong failures = new AtomicLong();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** Called by the component runtime. */
    @Activate
    public MetricCollector(@Reference LoopCollector loops) {
        this.loops = loops;
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindMetricSource(MetricSource source, Map<String, ?> properties) {
        Gate<MetricSource> gate = new Gate<>("a metric source", ErrorCode.INTERNAL, 0);
        gate.add(source, properties);
        synchronized (sources) {
            sources.put(source, gate);
        }
    }

    /** Called by the component runtime. */
    public void unbindMetricSource(MetricSource source) {
        Gate<MetricSource> gate;
        synchronized (sources) {
            gate = sources.remove(source);
        }
        if (gate != null) {
            gate.remove(source);
        }
    }

    /** Returns everything that everybody has to tell, in the text format. */
    String text() {
        PrometheusText text = collect();
        text.contradicted().stream().filter(logged::add).forEach(MetricCollector::log);
        return text.text();
    }

    private static void log(String name) {
        LOG.warn("{} {}", sentence(name), REMEDY);
    }

    private static String sentence(String name) {
        return "Values of the metric " + name + " are left out of /metrics.";
    }

    @Override
    public List<Finding> findings() {
        return collect().contradicted().stream()
                .map(name -> new Finding(Severity.WARNING, "metrics", sentence(name), REMEDY))
                .toList();
    }

    private PrometheusText collect() {
        List<Gate<MetricSource>> now;
        synchronized (sources) {
            now = List.copyOf(sources.values());
        }
        PrometheusText text = new PrometheusText();
        now.forEach(gate -> ask(gate).forEach(text::add));
        loops.metrics().forEach(text::add);
        own(now.size(), text.dropped()).forEach(text::add);
        return text;
    }

    private List<Metric> ask(Gate<MetricSource> gate) {
        try (Gate.Lease<MetricSource> lease = gate.lease(0)) {
            return new ArrayList<>(lease.service().metrics());
        } catch (RuntimeException | LinkageError e) { // its bundle may be on the way out
            failures.incrementAndGet();
            LOG.debug("A metric source failed.", e);
            return List.of();
        }
    }

    private List<Metric> own(int count, int dropped) {
        return List.of(
                Metric.gauge("palyra_metric_sources", "Sources of metrics.", count),
                Metric.gauge(
                        "palyra_metrics_dropped",
                        "Values left out because they contradict others or are malformed.",
                        dropped),
                Metric.counter(
                        "palyra_metric_source_failures_total",
                        "Times that a source failed to answer.",
                        (double) failures.get()));
    }
}
