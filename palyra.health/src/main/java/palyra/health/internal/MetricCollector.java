package palyra.health.internal;

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
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/**
 * Collects the metrics of every source. A source that fails is skipped and counted. Contradicting
 * values are left out; {@code palyra doctor} and, once per name, the log report them. Thread-safe.
 */
@Component(
        service = {MetricCollector.class, FindingSource.class},
        immediate = true)
public final class MetricCollector implements FindingSource {
    private static final Logger LOG = LoggerFactory.getLogger(MetricCollector.class);

    private static final String REMEDY =
            "Two bundles give it the same labels or another type, or a label is malformed; please"
                    + " report it with the output of palyra bundles.";

    private final SourceGates<MetricSource> sources = new SourceGates<>("a metric source");
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
        sources.add(source, properties);
    }

    /** Called by the component runtime. */
    public void unbindMetricSource(MetricSource source) {
        sources.remove(source);
    }

    /** Returns all metrics in the Prometheus text format. */
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

    /** Returns what the sources measure now, contradictions included. */
    List<Metric> metrics() {
        return sources.collect(MetricSource::metrics, failures::incrementAndGet);
    }

    private PrometheusText collect() {
        PrometheusText text = new PrometheusText();
        int count = sources.size();
        metrics().forEach(text::add);
        loops.metrics().forEach(text::add);
        own(count, text.dropped()).forEach(text::add);
        return text;
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
                        "Failures of metric sources.",
                        (double) failures.get()));
    }
}
