package palyra.sandbox.internal.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement.Tier;
import palyra.sandbox.internal.output.StreamOutput;

/** A runner on a backend that starts real commands without a sandbox. */
abstract class RunnerFixture {
    static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    FakeBackend backend;
    Backends backends;
    Runner runner;
    volatile int maxRunning = 50;
    private Set<Thread> before;

    @BeforeEach
    void open() {
        before = sandboxThreads();
        backend = new FakeBackend(Tier.B, folder);
        backends = new Backends(() -> 100);
        backends.add(backend, Map.of());
        runner = new Runner(backends, any -> "canary=test", () -> maxRunning);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    Specs call(String id) {
        return Specs.call(id, folder);
    }

    RunResult run(Specs spec) {
        return runner.run(RunOrder.of(Tier.B, spec.build()));
    }

    static String text(StreamOutput output) {
        return new String(output.beginning(), StandardCharsets.UTF_8);
    }

    FutureTask<RunResult> elsewhere(Specs spec) {
        FutureTask<RunResult> task = new FutureTask<>(() -> run(spec));
        Thread.ofPlatform().daemon().name("test-run").start(task);
        return task;
    }

    /** Returns how many threads the runner of this test has; those of earlier tests are not its. */
    long threads() {
        Set<Thread> now = sandboxThreads();
        now.removeAll(before);
        return now.size();
    }

    private static Set<Thread> sandboxThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("palyra-sandbox-"))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
