package palyra.tracing.internal;

import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.model.FakeVaultKeys;
import palyra.testing.wait.Await;

/** Traces of a journal whose clock the test moves, sent to a collector on loopback. */
final class Stage implements AutoCloseable {
    static final long BEGIN = 1_790_000_000_000L;
    static final Tracing.Pace QUICK =
            new Tracing.Pace(
                    Duration.ofMillis(5),
                    Duration.ofMillis(5),
                    Duration.ofMillis(5),
                    4_096,
                    8L << 20);

    final ManualClock clock = new ManualClock(BEGIN);
    final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot-1");
    final Collector collector = new Collector();
    final LoopbackEgress egress = new LoopbackEgress();
    final FakeVaultKeys keys = new FakeVaultKeys();
    private final Gate<Journal> journals =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<EgressClient> clients =
            new Gate<>("The way out", ErrorCode.TOOL_UNAVAILABLE, 0);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<Vault> vault = new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, 0);
    private Tracing tracing;

    Stage() {
        journals.add(journal, Map.of());
        clients.add(egress, Map.of());
        access.add(keys.access(), Map.of());
        vault.add(keys.vault(), Map.of());
    }

    RecordedRun run() {
        return new RecordedRun(journal, clock);
    }

    Tracing start() {
        return start(1, QUICK);
    }

    Tracing start(double sampleRatio, Tracing.Pace pace) {
        return start(new TracingSettings(collector.url(), Map.of(), Map.of(), sampleRatio), pace);
    }

    Tracing start(TracingSettings settings, Tracing.Pace pace) {
        if (tracing != null) {
            tracing.close();
        }
        tracing =
                new Tracing(
                        settings,
                        Resource.getDefault(),
                        new Tracing.Parts(
                                journals, clients, new SecretLender(access, vault), clock),
                        pace);
        tracing.follow(journal.feed());
        return tracing;
    }

    /** Returns a metric by its outcome. */
    long metric(String name, String outcome) {
        return tracing.metrics().stream()
                .filter(one -> one.name().equals(name))
                .filter(one -> one.labels().getOrDefault("outcome", "").equals(outcome))
                .mapToLong(one -> (long) one.value())
                .sum();
    }

    void awaitMetric(String name, String outcome, long count) {
        Await.until(name + " " + outcome + " to be " + count, () -> metric(name, outcome) == count);
    }

    void awaitSpans(int count) {
        awaitMetric("palyra_trace_spans_total", "sent", count);
    }

    @Override
    public void close() {
        if (tracing != null) {
            tracing.close();
        }
        collector.close();
        egress.close();
    }
}
