package palyra.config.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** Tells operators how the configuration stands. Thread-safe. */
final class ConfigurationReport implements FindingSource, MetricSource, LoopSource {
    private final ConfigurationWatch watch;
    private final IntSupplier waiting;

    ConfigurationReport(ConfigurationWatch watch, IntSupplier waiting) {
        this.watch = watch;
        this.waiting = waiting;
    }

    @Override
    public List<Finding> findings() {
        return watch.view().problems().stream()
                .map(Problem::finding)
                .sorted(Comparator.comparing(Finding::severity).reversed())
                .toList();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(watch.loop());
    }

    @Override
    public List<Metric> metrics() {
        ConfigurationView view = watch.view();
        Map<Layer, Integer> counts = new EnumMap<>(Layer.class);
        counts.put(Layer.SHIPPED, 0);
        counts.put(Layer.DEPLOYED, 0);
        counts.put(Layer.OPERATOR, 0);
        counts.put(Layer.OVERRIDE, 0);
        view.sources().forEach(s -> counts.merge(s.id().layer(), 1, Integer::sum));
        List<Metric> metrics = new ArrayList<>();
        counts.forEach(
                (layer, count) ->
                        metrics.add(
                                new Metric(
                                        "palyra_config_sources",
                                        "Files and overrides that were found.",
                                        Metric.Type.GAUGE,
                                        Map.of("layer", layer.label()),
                                        count)));
        metrics.add(
                Metric.gauge(
                        "palyra_config_problems",
                        "Faults in the configuration now.",
                        view.problems().size()));
        metrics.add(
                Metric.counter(
                        "palyra_config_applied_total",
                        "Configurations installed, replaced or deleted.",
                        (double) watch.applied()));
        metrics.add(
                Metric.counter(
                        "palyra_config_refused_total",
                        "Faults in the configuration that came up.",
                        (double) watch.refused()));
        metrics.add(
                Metric.gauge(
                        "palyra_config_unrecorded_changes",
                        "Changes that wait for the journal.",
                        waiting.getAsInt()));
        return List.copyOf(metrics);
    }
}
