package palyra.journal.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Unit.Lane;
import palyra.api.core.ops.Metric;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.read.Feed;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.verify.ScrubReport;
import palyra.journal.internal.write.WriteQueue;

/** The metrics of the store. */
final class Gauges {
    private static final double NANOS = 1e9;

    private Gauges() {}

    static List<Metric> of(
            Meters meters,
            WriteQueue queue,
            ReadPool readers,
            Feed feed,
            JournalStatus status,
            ScrubReport scrub) {
        List<Metric> metrics = new ArrayList<>(counters(meters));
        for (Lane lane : Lane.values()) {
            metrics.add(
                    new Metric(
                            "palyra_journal_queue_depth",
                            "Units that wait for the writer",
                            Metric.Type.GAUGE,
                            Map.of("lane", lane.name().toLowerCase(Locale.ROOT)),
                            queue.depth(lane)));
        }
        for (JournalStatus.State state : JournalStatus.State.values()) {
            metrics.add(
                    new Metric(
                            "palyra_journal_state",
                            "1 for the state that the journal is in",
                            Metric.Type.GAUGE,
                            Map.of("state", state.name().toLowerCase(Locale.ROOT)),
                            status.state() == state ? 1 : 0));
        }
        metrics.addAll(gauges(meters, readers, feed, status));
        metrics.addAll(scrub(scrub));
        return metrics;
    }

    private static List<Metric> scrub(ScrubReport scrub) {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.counter(
                        "palyra_journal_scrub_bytes_total",
                        "Bytes read to find damage",
                        (double) scrub.bytes()));
        metrics.add(
                Metric.gauge(
                        "palyra_journal_scrub_faults",
                        "Damaged places that the scrub found",
                        (double) scrub.count()));
        scrub.last()
                .ifPresent(
                        last ->
                                metrics.add(
                                        Metric.gauge(
                                                "palyra_journal_scrub_ended_seconds",
                                                "Unix time at which everything had been read",
                                                (double) last.endedAtMillis() / 1_000)));
        return metrics;
    }

    private static List<Metric> counters(Meters meters) {
        return List.of(
                Metric.counter(
                        "palyra_journal_commits_total",
                        "Groups of units synced together",
                        (double) meters.groups.sum()),
                Metric.counter(
                        "palyra_journal_units_total",
                        "Units in these groups",
                        (double) meters.units.sum()),
                Metric.counter(
                        "palyra_journal_refused_total",
                        "Units that were refused",
                        (double) meters.refused.sum()),
                Metric.counter(
                        "palyra_journal_payload_bytes_total",
                        "Payload bytes of records appended",
                        (double) meters.payloadBytes.sum()),
                Metric.counter(
                        "palyra_journal_commit_seconds_total",
                        "Time spent in commits, which is nearly all syncing",
                        (double) meters.commitNanos.sum() / NANOS),
                Metric.counter(
                        "palyra_journal_checkpoints_total",
                        "Checkpoints of the write-ahead log",
                        (double) meters.checkpoints.sum()),
                Metric.counter(
                        "palyra_journal_clock_jumps_total",
                        "Jumps of the system's clock that were noticed",
                        (double) meters.clockJumps.sum()),
                Metric.counter(
                        "palyra_journal_reads_total", "Reads served", (double) meters.reads.sum()));
    }

    private static List<Metric> gauges(
            Meters meters, ReadPool readers, Feed feed, JournalStatus status) {
        return List.of(
                Metric.gauge(
                        "palyra_journal_largest_group_units",
                        "Most units that were ever synced together",
                        (double) meters.largestGroup.get()),
                Metric.gauge(
                        "palyra_journal_read_queue_depth",
                        "Reads that wait for a thread",
                        (double) readers.depth()),
                Metric.gauge(
                        "palyra_journal_feed_subscriptions",
                        "Listeners of the feed",
                        (double) feed.size()),
                Metric.gauge(
                        "palyra_journal_records",
                        "Records appended over the store's life",
                        (double) status.recordCount()),
                Metric.gauge(
                        "palyra_journal_database_bytes",
                        "Size of the database with its write-ahead log",
                        (double) status.databaseBytes()),
                Metric.gauge(
                        "palyra_journal_free_bytes",
                        "Space left on the medium",
                        (double) status.freeBytes()));
    }
}
