package palyra.connectors.webhook.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.channel.ConnectorId;
import palyra.api.core.ops.Metric;

/** Counts requests of one account by what became of them: a small, fixed set. Thread-safe. */
final class RequestCounts {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String result) {
        counts.computeIfAbsent(result, unused -> new LongAdder()).increment();
    }

    long of(String result) {
        LongAdder count = counts.get(result);
        return count == null ? 0 : count.sum();
    }

    List<Metric> metrics(ConnectorId id) {
        return counts.entrySet().stream()
                .map(
                        entry ->
                                new Metric(
                                        "palyra_webhook_requests_total",
                                        "Requests of webhook senders by what became of them.",
                                        Metric.Type.COUNTER,
                                        Map.of("account", id.account(), "result", entry.getKey()),
                                        (double) entry.getValue().sum()))
                .toList();
    }
}
