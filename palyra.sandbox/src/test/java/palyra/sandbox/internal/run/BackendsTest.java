package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.testing.wait.Await;

/** Sandboxes that come and go. */
@Timeout(300)
class BackendsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    private volatile int grace = 100;
    private Backends backends;
    private Runner runner;

    @BeforeEach
    void open() {
        backends = new Backends(() -> grace);
        runner = new Runner(backends, any -> "", () -> 10);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private FakeBackend add(Tier tier, int ranking) {
        FakeBackend backend = new FakeBackend(tier, folder);
        backends.add(backend, Map.of("service.ranking", ranking));
        return backend;
    }

    private FutureTask<RunResult> start(String id, Tier tier, String script) {
        FutureTask<RunResult> task =
                new FutureTask<>(
                        () ->
                                runner.run(
                                        RunOrder.of(
                                                tier,
                                                Specs.call(id, folder)
                                                        .script("touch " + id + "; " + script)
                                                        .build())));
        Thread.ofPlatform().daemon().start(task);
        Await.until("the command", LONG, () -> Files.exists(folder.resolve(id)));
        return task;
    }

    private ErrorCode refusal(Tier tier) {
        return assertThrows(
                        PalyraException.class,
                        () -> runner.run(RunOrder.of(tier, Specs.call("no", folder).build())))
                .code();
    }

    @Test
    void absentTierRefusesAndNoOtherTakesItsPlace() {
        FakeBackend b = add(Tier.B, 0);
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(Tier.C));
        FakeBackend c = add(Tier.C, 0);
        backends.remove(b);
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(Tier.B));
        assertEquals(0, b.starts.get() + c.starts.get());
    }

    @Test
    void aCallWaitsForABackendThatIsReplaced() throws Exception {
        Backends patient = new Backends(() -> 0, LONG.toMillis());
        Runner waiting = new Runner(patient, any -> "", () -> 10);
        FakeBackend old = new FakeBackend(Tier.C, folder);
        patient.add(old, Map.of());
        patient.remove(old);
        FutureTask<RunResult> task =
                new FutureTask<>(
                        () ->
                                waiting.run(
                                        RunOrder.of(Tier.C, Specs.call("waits", folder).build())));
        Thread thread = Thread.ofPlatform().daemon().start(task);
        Await.until("the wait", LONG, () -> thread.getState() == Thread.State.TIMED_WAITING);
        patient.add(new FakeBackend(Tier.C, folder), Map.of());
        assertEquals(RunOutcome.OK, task.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(0, old.starts.get());
        waiting.close();
    }

    /** It leaves between the choice and the start. */
    @Test
    void aCallGoesToTheNextBackendWhenItsOwnLeavesMeanwhile() {
        Backends patient = new Backends(() -> 0, LONG.toMillis());
        FakeBackend old = new FakeBackend(Tier.C, folder);
        FakeBackend next = new FakeBackend(Tier.C, folder);
        Runner runnerOfBoth =
                new Runner(
                        patient,
                        asked -> {
                            if (asked == old) {
                                patient.remove(old);
                                patient.add(next, Map.of());
                            }
                            return "canary=test";
                        },
                        () -> 10);
        patient.add(old, Map.of());
        RunResult result =
                runnerOfBoth.run(RunOrder.of(Tier.C, Specs.call("moves", folder).build()));
        assertEquals(RunOutcome.OK, result.outcome());
        assertEquals(0, old.starts.get());
        assertEquals(1, next.starts.get());
        runnerOfBoth.close();
    }

    @Test
    void tierOfSkillsIsRefusedForPrograms() {
        add(Tier.B, 0);
        assertEquals(ErrorCode.DENIED, refusal(Tier.A));
    }

    @Test
    void highestRankingWins() {
        FakeBackend low = add(Tier.B, 1);
        FakeBackend high = add(Tier.B, 7);
        add(Tier.B, 3);
        assertSame(high, backends.backend(Tier.B));
        backends.remove(high);
        assertFalse(backends.all().contains(high));
        assertTrue(backends.all().contains(low));
    }

    @Test
    void backendThatLeavesWaitsForShortCommands() throws Exception {
        grace = 60_000;
        FakeBackend backend = add(Tier.B, 0);
        FutureTask<RunResult> task = start("short", Tier.B, "sleep 0.5; echo whole");
        backends.remove(backend);
        assertTrue(task.isDone() || runner.running() == 0, "it went before its command");
        assertEquals(RunOutcome.OK, task.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(Tier.B));
    }

    @Test
    void backendThatLeavesEndsLongCommandsWholeAfterTheGrace() throws Exception {
        FakeBackend backend = add(Tier.B, 0);
        FutureTask<RunResult> task =
                start("long", Tier.B, "setsid sleep 600 & echo part; sleep 600");
        backends.remove(backend);
        assertEquals(List.of(), FakeProcess.living("long"));
        RunResult result = task.get(30, TimeUnit.SECONDS);
        assertEquals(RunOutcome.KILLED, result.outcome());
        assertEquals(Stop.WITHDRAWN.sentence("The command"), result.problem());
    }

    @Test
    void commandsOfOtherBackendsGoOn() throws Exception {
        FakeBackend b = add(Tier.B, 0);
        add(Tier.C, 0);
        FutureTask<RunResult> other =
                start("other", Tier.C, "while [ ! -e go ]; do sleep 0.05; done");
        backends.remove(b);
        assertFalse(other.isDone());
        Files.createFile(folder.resolve("go"));
        assertEquals(RunOutcome.OK, other.get(30, TimeUnit.SECONDS).outcome());
    }

    @Test
    void backendThatIsNotTrustedAnyMoreLosesItsCommandsButNotItsTests() throws Exception {
        FakeBackend backend = add(Tier.B, 0);
        FutureTask<RunResult> task = start("victim", Tier.B, "sleep 600");
        FutureTask<RunResult> trial =
                new FutureTask<>(
                        () ->
                                runner.run(
                                        RunOrder.trial(
                                                Tier.B,
                                                Specs.call("trial", folder)
                                                        .script(
                                                                "touch trial; while [ ! -e go ];"
                                                                        + " do sleep 0.05; done")
                                                        .build())));
        Thread.ofPlatform().daemon().start(trial);
        Await.until("the trial", LONG, () -> Files.exists(folder.resolve("trial")));
        backends.stopAll(backend, Stop.DISTRUSTED);
        assertEquals(RunOutcome.SANDBOX_FAILED, task.get(30, TimeUnit.SECONDS).outcome());
        assertFalse(trial.isDone());
        Files.createFile(folder.resolve("go"));
        assertEquals(RunOutcome.OK, trial.get(30, TimeUnit.SECONDS).outcome());
    }
}
