package palyra.sandbox.internal.egress;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;

/** Counts connections, what was denied and bytes. Thread-safe. */
final class EgressCounts {
    final LongAdder connections = new LongAdder();
    final LongAdder up = new LongAdder();
    final LongAdder down = new LongAdder();
    final LongAdder cut = new LongAdder();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger proxies = new AtomicInteger();
    private final Map<Reason, LongAdder> refused = new EnumMap<>(Reason.class);

    EgressCounts() {
        for (Reason reason : Reason.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    void refused(Reason reason) {
        refused.get(reason).increment();
    }

    long refusals(Reason reason) {
        return refused.get(reason).sum();
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.counter(
                        "palyra_egress_connections_total",
                        "Outbound connections that were made.",
                        (double) connections.sum()));
        metrics.add(
                Metric.counter(
                        "palyra_egress_cut_total",
                        "Connections that were cut: by time, size or their owner.",
                        (double) cut.sum()));
        metrics.add(
                Metric.gauge(
                        "palyra_egress_connections_open", "Connections open now.", open.get()));
        metrics.add(
                Metric.gauge(
                        "palyra_egress_proxies_open",
                        "Proxies of sandboxed commands open now.",
                        proxies.get()));
        metrics.add(bytes("up", up.sum()));
        metrics.add(bytes("down", down.sum()));
        refused.forEach((reason, count) -> metrics.add(refused(reason, count.sum())));
        return metrics;
    }

    private static Metric bytes(String direction, long bytes) {
        return new Metric(
                "palyra_egress_bytes_total",
                "Bytes through connections, without those of TLS that this gateway speaks itself.",
                Metric.Type.COUNTER,
                Map.of("direction", direction),
                (double) bytes);
    }

    private static Metric refused(Reason reason, long count) {
        return new Metric(
                "palyra_egress_refused_total",
                "Connections that were not made, or not carried on, by reason.",
                Metric.Type.COUNTER,
                Map.of("reason", reason.label()),
                (double) count);
    }
}
