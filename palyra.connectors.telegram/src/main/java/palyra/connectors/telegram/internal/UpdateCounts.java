package palyra.connectors.telegram.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.channel.ConnectorId;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.Metric.Type;

/** Counts updates of one account. Thread-safe. */
final class UpdateCounts {
    private static final String NAME = "palyra_telegram_updates_total";

    private final LongAdder taken = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    void taken() {
        taken.increment();
    }

    void skipped() {
        skipped.increment();
    }

    List<Metric> metrics(ConnectorId id) {
        return List.of(metric(id, "taken", taken), metric(id, "unreadable", skipped));
    }

    private static Metric metric(ConnectorId id, String result, LongAdder value) {
        return new Metric(
                NAME,
                "Messages that Telegram sent: taken in, or skipped because they cannot be read",
                Type.COUNTER,
                Map.of("account", id.account(), "result", result),
                value.sum());
    }
}
