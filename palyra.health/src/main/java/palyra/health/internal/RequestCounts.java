package palyra.health.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.osgi.service.component.annotations.Component;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** Counts responses by path and status; both sets are small and fixed. Thread-safe. */
@Component(
        service = {RequestCounts.class, MetricSource.class},
        immediate = true)
public final class RequestCounts implements MetricSource {
    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

    private record Key(String path, int status) {}

    void count(String path, int status) {
        counts.computeIfAbsent(new Key(path, status), key -> new LongAdder()).increment();
    }

    @Override
    public List<Metric> metrics() {
        return counts.entrySet().stream()
                .map(
                        entry ->
                                new Metric(
                                        "palyra_health_requests_total",
                                        "Responses by path and HTTP status.",
                                        Metric.Type.COUNTER,
                                        Map.of(
                                                "path",
                                                entry.getKey().path(),
                                                "status",
                                                Integer.toString(entry.getKey().status())),
                                        (double) entry.getValue().sum()))
                .toList();
    }
}
