package palyra.transport.openai.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;

/** Counts responses by endpoint and status; both sets are small and fixed. Thread-safe. */
final class RequestCounts {
    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

    private record Key(String endpoint, int status) {}

    void count(String endpoint, int status) {
        counts.computeIfAbsent(new Key(endpoint, status), key -> new LongAdder()).increment();
    }

    List<Metric> metrics() {
        return counts.entrySet().stream()
                .map(
                        entry ->
                                new Metric(
                                        "palyra_openai_requests_total",
                                        "Responses of the OpenAI-compatible server by endpoint and"
                                                + " HTTP status.",
                                        Metric.Type.COUNTER,
                                        Map.of(
                                                "endpoint",
                                                entry.getKey().endpoint(),
                                                "status",
                                                Integer.toString(entry.getKey().status())),
                                        (double) entry.getValue().sum()))
                .toList();
    }
}
