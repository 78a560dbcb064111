package palyra.connectors.discord.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.channel.ConnectorId;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.Metric.Type;

/** Counts what happens to one account. Thread-safe. */
final class EventCounts {
    /** What is counted. */
    enum Count {
        TAKEN("messages", "taken"),
        UNREADABLE("messages", "unreadable"),
        FETCHED("messages", "fetched"),
        EVENTS("events", "heard"),
        IDENTIFIED("sessions", "begun"),
        RESUMED("sessions", "resumed"),
        LOST("sessions", "lost"),
        LEFT("backfills", "limited"),
        GONE("backfills", "refused");

        private final String metric;
        private final String result;

        Count(String metric, String result) {
            this.metric = metric;
            this.result = result;
        }

        /** Returns what it is called in a listing. */
        String words() {
            return metric + Character.toUpperCase(result.charAt(0)) + result.substring(1);
        }
    }

    private final Map<Count, LongAdder> counts = new ConcurrentHashMap<>();

    EventCounts() {
        for (Count count : Count.values()) {
            counts.put(count, new LongAdder());
        }
    }

    void add(Count count) {
        counts.get(count).increment();
    }

    long of(Count count) {
        return counts.get(count).sum();
    }

    List<Metric> metrics(ConnectorId id) {
        return java.util.Arrays.stream(Count.values())
                .map(
                        count ->
                                new Metric(
                                        "palyra_discord_" + count.metric + "_total",
                                        help(count.metric),
                                        Type.COUNTER,
                                        Map.of("account", id.account(), "result", count.result),
                                        of(count)))
                .toList();
    }

    private static String help(String metric) {
        return switch (metric) {
            case "messages" ->
                    "Messages that Discord sent, or that were fetched after a lost session";
            case "events" -> "Events of Discord's gateway";
            case "sessions" -> "Sessions of Discord's gateway";
            default -> "Conversations whose missing messages were not all fetched";
        };
    }
}
