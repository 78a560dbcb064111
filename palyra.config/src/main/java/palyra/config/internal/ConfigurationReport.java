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

/** Reports the state of the configuration as findings, metrics and loops. Thread-safe. */
final class ConfigurationReport implements FindingSource, MetricSource, LoopSource {
    private final ConfigurationWatcher watcher;
    private final IntSupplier waiting;

    ConfigurationReport(ConfigurationWatcher watcher, IntSupplier waiting) {
        this.watcher = watcher;
        this.waiting = waiting;
    }

    @Override
    public List<Finding> findings() {
        return watcher.view().problems().stream()
                .map(Problem::finding)
                .sorted(Comparator.comparing(Finding::severity).reversed())
                .toList();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(watcher.loop());
    }

    @Override
    public List<Metric> metrics() {
        ConfigurationView view = watcher.view();
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
                                        "Configuration files and overrides.",
                                        Metric.Type.GAUGE,
                                        Map.of("layer", layer.label()),
                                        count)));
        metrics.add(
                Metric.gauge(
                        "palyra_config_problems",
                        "Current problems of the configuration.",
                        view.problems().size()));
        metrics.add(
                Metric.counter(
                        "palyra_config_applied_total",
                        "Configurations installed, replaced or deleted.",
                        (double) watcher.applied()));
        metrics.add(
                Metric.counter(
                        "palyra_config_refused_total",
                        "Problems of the configuration since the start.",
                        (double) watcher.refused()));
        metrics.add(
                Metric.gauge(
                        "palyra_config_unrecorded_changes",
                        "Configuration changes that are not in the journal yet.",
                        waiting.getAsInt()));
        return List.copyOf(metrics);
    }
}
