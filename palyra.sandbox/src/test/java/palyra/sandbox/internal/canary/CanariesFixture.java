package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** A backend that can be broken, and who tests it. */
abstract class CanariesFixture {
    static final Duration LONG = Duration.ofSeconds(30);
    static final long INTERVAL = 60_000;

    @TempDir Path folder;
    final AtomicLong clock = new AtomicLong(System.currentTimeMillis());
    final MemoryJournal journal = new MemoryJournal();
    final MemoryKeys keys = new MemoryKeys();
    final Gate<Journal> journalGate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<Keys> keyGate = new Gate<>("the keys", ErrorCode.KEYS_UNAVAILABLE, 0);
    final Backends backends = new Backends(() -> 100);
    Canaries canaries;
    boolean waitsForTheGateway;
    long patienceMillis;
    Runnable first = () -> {};
    Runner runner;
    Holding holding;
    CanaryTrial trial;
    volatile RuntimeException unprobed; // null lets tests be made

    @BeforeEach
    void open() {
        journalGate.add(journal, Map.of());
        keyGate.add(keys, Map.of());
        SandboxSettings settings = Configurations.settings(folder.resolve("workspaces"), Map.of());
        canaries =
                new Canaries(
                        backends,
                        new CanaryJournal(journalGate, keyGate),
                        () -> INTERVAL,
                        () -> System.currentTimeMillis() + (clock.get() - start),
                        patienceMillis);
        runner = new Runner(backends, canaries, () -> 10);
        trial =
                new CanaryTrial(
                        runner,
                        () -> settings,
                        folder.resolve("state"),
                        Map.of("SECRET_TOKEN", "topsecret", "PATH", "/bin"));
        canaries.begin(this::tried, first);
        if (!waitsForTheGateway) {
            canaries.startNow();
        }
        holding = new Holding(Tier.C);
    }

    private CanaryReport tried(SandboxBackend backend, BackendStatus status) {
        if (unprobed != null) {
            throw unprobed;
        }
        return trial.of(backend, status);
    }

    final long start = clock.get();

    @AfterEach
    void close() {
        canaries.close();
        runner.close();
    }

    void add() {
        backends.add(holding, Map.of());
    }

    void awaitState(CanaryStatus.State state) {
        Await.until(
                "the sandbox to be " + state,
                LONG,
                () -> canaries.canaryStatus(holding).state() == state);
    }

    RunOrder order(String callId) {
        return RunOrder.of(
                Tier.C,
                new SandboxSpec(
                        callId,
                        List.of("/bin/true"),
                        Map.of(),
                        folder.toString(),
                        folder.toString(),
                        List.of(),
                        List.of(),
                        Egress.STRICT,
                        java.util.Optional.empty(),
                        java.util.Set.of(),
                        SandboxLimits.DEFAULT,
                        java.util.Set.of(),
                        false));
    }

    void assertRefuses() {
        int before = holding.starts.get();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.proof(holding));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(holding.starts.get() >= before);
    }
}
