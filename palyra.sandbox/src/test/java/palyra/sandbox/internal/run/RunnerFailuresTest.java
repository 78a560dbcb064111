package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.shared.hash.Digests;
import palyra.testing.wait.Await;

/** What a runner refuses, and what becomes of a call whose sandbox fails. */
@Timeout(300)
class RunnerFailuresTest extends RunnerFixture {
    @Test
    void tooManyCommandsAreRefused() throws Exception {
        maxRunning = 1;
        FutureTask<RunResult> task = elsewhere(call("first").script("touch f; sleep 600"));
        Await.until("the command", LONG, () -> Files.exists(folder.resolve("f")));
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED,
                assertThrows(PalyraException.class, () -> run(call("second"))).code());
        assertEquals(1, backend.starts.get());
        runner.cancel("first");
        task.get(30, TimeUnit.SECONDS);
        assertEquals(RunOutcome.OK, run(call("third")).outcome());
    }

    @Test
    void closingEndsWhatRunsAndStartsNothingMore() throws Exception {
        FutureTask<RunResult> task = elsewhere(call("open").script("touch o; sleep 600"));
        Await.until("the command", LONG, () -> Files.exists(folder.resolve("o")));
        runner.close();
        assertEquals(RunOutcome.KILLED, task.get(30, TimeUnit.SECONDS).outcome());
        assertEquals(0, runner.running());
        assertEquals(
                ErrorCode.TOOL_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> run(call("later"))).code());
    }

    /** As when the launcher of processes goes between the proof of a sandbox and the start. */
    @Test
    void aSandboxThatLooksAtItsHostAgainIsTriedAgain() {
        BackendStatus ready = backend.status;
        backend.status = BackendStatus.probing();
        backend.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "There is no launcher.");
        AtomicInteger proofs = new AtomicInteger();
        try (Runner again =
                new Runner(
                        backends,
                        any -> {
                            if (proofs.incrementAndGet() == 2) { // the proof waited for the look
                                backend.status = ready;
                                backend.check = null;
                            }
                            return "canary=test";
                        },
                        () -> maxRunning)) {
            RunOrder order = RunOrder.of(Tier.B, call("again").script("true").build());
            assertEquals(RunOutcome.OK, again.run(order).outcome());
        }
        assertEquals(2, proofs.get());
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        List<String> odd =
                new ArrayList<>(
                        List.of("", "-n", "a\nb", "'", "\"", "$(id)", "`id`", "*", "\\", "a b"));
        for (int i = 0; i < 128; i++) {
            odd.add("arg" + i);
        }
        List<String> line = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
        line.addAll(odd);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (String one : odd) {
            expected.write((one + "\0").getBytes(StandardCharsets.UTF_8));
        }
        assertArrayEquals(
                expected.toByteArray(), run(call("argv").argv(line)).stdout().beginning());
    }

    @Test
    void argumentWithANulIsRefusedBeforeAnythingStarts() {
        assertThrows(
                PalyraException.class,
                () -> call("nul").argv(List.of("/bin/echo", "a\0b")).build());
        assertEquals(0, backend.starts.get());
    }

    @Test
    void binaryInputArrivesWhole() {
        byte[] input = new byte[5 << 20];
        new Random(1).nextBytes(input);
        RunResult result =
                runner.run(
                        new RunOrder(
                                Tier.B,
                                call("stdin").argv(List.of("/usr/bin/sha256sum")).stdin().build(),
                                Optional.of(input),
                                Optional.empty(),
                                false));
        assertEquals(Digests.sha256Hex(input), text(result.stdout()).substring(0, 64));
    }

    @Test
    void inputThatNobodyReadsHoldsNothingUp() {
        RunResult result =
                runner.run(
                        new RunOrder(
                                Tier.B,
                                call("unread").script("exit 0").stdin().build(),
                                Optional.of(new byte[5 << 20]),
                                Optional.empty(),
                                false));
        assertEquals(RunOutcome.OK, result.outcome());
        Await.until("the feeding thread to end", LONG, () -> threads() == 0);
    }

    @Test
    void commandWithoutInputFindsItsEnd() {
        assertEquals(RunOutcome.OK, run(call("none").argv(List.of("/bin/cat"))).outcome());
    }

    @Test
    void programThatCannotBeExecutedIsASpawnFailure() {
        RunResult missing = run(call("missing").argv(List.of("/no/such/program")));
        assertEquals(RunOutcome.SPAWN_FAILED, missing.outcome());
        assertEquals(-1, missing.exitCode());
        assertEquals("strict started=no", missing.enforcement());
        assertEquals(RunOutcome.SPAWN_FAILED, run(call("dir").argv(List.of("/tmp"))).outcome());
        backend.wrap = process -> Broken.of(process).exit(false, -1, "exec: EACCES", false);
        assertEquals(RunOutcome.SPAWN_FAILED, run(call("late-exec")).outcome());
        assertEquals(0, runner.running());
    }

    @Test
    void sandboxThatCannotBeMadeIsASandboxFailure() {
        backend.start = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "no userns");
        RunResult result = run(call("nons"));
        assertEquals(RunOutcome.SANDBOX_FAILED, result.outcome());
        assertEquals("no userns", result.problem());
        backend.start = new IllegalStateException("a defect");
        assertEquals(RunOutcome.SANDBOX_FAILED, run(call("defect")).outcome());
        assertEquals(0, runner.running());
    }

    @Test
    void processesThatCannotBeKilledAreAnAlarm() {
        backend.wrap = process -> Broken.of(process).leftBehind(2);
        RunResult result = run(call("leak"));
        assertEquals(RunOutcome.SANDBOX_FAILED, result.outcome());
        assertEquals(2, result.leftBehind());
        assertEquals(1, runner.counts().findings().size());
        assertTrue(runner.counts().findings().get(0).message().contains("leak"));
    }

    @Test
    void sandboxThatFailsWhileTheCommandRunsEndsIt() {
        backend.wrap = process -> Broken.of(process).failingUsage();
        RunResult result = run(call("broken").script("sleep 600"));
        assertEquals(RunOutcome.SANDBOX_FAILED, result.outcome());
        assertEquals(List.of(), FakeProcess.living("broken"));
    }

    @Test
    void replacedHelperIsFoundOutBeforeAnythingStarts() {
        backend.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "bwrap was replaced");
        PalyraException refused = assertThrows(PalyraException.class, () -> run(call("swap")));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertEquals(0, backend.starts.get());
        assertEquals(0, runner.running());
    }

    @Test
    void sandboxThatDidNotProveItselfRunsNothing() {
        Runner distrusting =
                new Runner(
                        backends,
                        any -> {
                            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "not proved");
                        },
                        () -> 1);
        assertThrows(
                PalyraException.class,
                () -> distrusting.run(RunOrder.of(Tier.B, call("trust").build())));
        assertEquals(0, backend.starts.get());
        RunResult trial = distrusting.run(RunOrder.trial(Tier.B, call("trial").build()));
        assertEquals(RunOutcome.OK, trial.outcome());
        assertFalse(trial.enforcement().contains("canary"));
    }

    @Test
    void deadProxyMeansNoStart() {
        FakeProxy proxy = new FakeProxy(false);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> runner.run(proxied("dead", proxy)));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertEquals(0, backend.starts.get());
    }

    @Test
    void proxyThatDiesEndsTheCallInFlightAndNoOther() throws Exception {
        FakeProxy proxy = new FakeProxy(true);
        FutureTask<RunResult> task = new FutureTask<>(() -> runner.run(proxied("dying", proxy)));
        Thread.ofPlatform().daemon().start(task);
        Await.until("the start", LONG, () -> backend.starts.get() == 1);
        proxy.alive = false;
        RunResult result = task.get(30, TimeUnit.SECONDS);
        assertEquals(RunOutcome.SANDBOX_FAILED, result.outcome());
        assertTrue(result.problem().contains("egress proxy failed"));
        assertEquals(RunOutcome.OK, run(call("other")).outcome());
    }

    @Test
    void proxiesThatAreReplacedAreTheReasonAndNotAFailure() throws Exception {
        FakeProxy proxy = new FakeProxy(true);
        FutureTask<RunResult> task = new FutureTask<>(() -> runner.run(proxied("swap", proxy)));
        Thread.ofVirtual().start(task);
        Await.until("the command", LONG, () -> backend.starts.get() == 1);
        runner.withdrawProxies();
        proxy.alive = false;
        RunResult result = task.get(30, TimeUnit.SECONDS);
        assertEquals(RunOutcome.KILLED, result.outcome());
        assertTrue(result.problem().contains("being replaced or removed"), result.problem());
    }

    private RunOrder proxied(String id, FakeProxy proxy) {
        return new RunOrder(
                Tier.B,
                call(id).script("sleep 600").proxy("/tmp/e").build(),
                Optional.empty(),
                Optional.of(proxy),
                false);
    }
}
