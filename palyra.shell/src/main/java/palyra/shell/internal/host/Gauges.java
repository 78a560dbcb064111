package palyra.shell.internal.host;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** Single values that bundles measure, for commands that show them. Thread-safe. */
public final class Gauges {
    private final Set<MetricSource> sources = ConcurrentHashMap.newKeySet();

    /** Takes a source in. */
    public void add(MetricSource source) {
        sources.add(source);
    }

    /** Lets go of a source. */
    public void remove(MetricSource source) {
        sources.remove(source);
    }

    /** Returns the value of a metric without labels; empty when nothing measures it now. */
    public OptionalDouble value(String name) {
        return sources.stream()
                .flatMap(source -> ask(source).stream())
                .filter(metric -> metric.name().equals(name) && metric.labels().isEmpty())
                .mapToDouble(Metric::value)
                .findFirst();
    }

    private static List<Metric> ask(MetricSource source) {
        try {
            return source.metrics();
        } catch (RuntimeException
                | LinkageError e) { // its bundle may be in the middle of an update
            return List.of();
        }
    }
}
