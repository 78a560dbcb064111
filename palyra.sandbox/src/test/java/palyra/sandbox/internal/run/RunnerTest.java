package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
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
import palyra.shared.hash.Digests;
import palyra.testing.wait.Await;

/** What the runner promises about one command, with ordinary processes. */
@Timeout(300)
class RunnerTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    private FakeBackend backend;
    private Backends backends;
    private Runner runner;
    private volatile int maxRunning = 50;

    @BeforeEach
    void open() {
        backend = new FakeBackend(Tier.B, folder);
        backends = new Backends(() -> 100);
        backends.add(backend, Map.of());
        runner = new Runner(backends, any -> "canary=test", () -> maxRunning);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private Specs call(String id) {
        return Specs.call(id, folder);
    }

    private RunResult run(Specs spec) {
        return runner.run(RunOrder.of(Tier.B, spec.build()));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private FutureTask<RunResult> elsewhere(Specs spec) {
        FutureTask<RunResult> task = new FutureTask<>(() -> run(spec));
        Thread.ofPlatform().daemon().name("test-run").start(task);
        return task;
    }

    @Test
    void commandRunsAndItsOutputCodeAndEnforcementAreTold() {
        RunResult result = run(call("ok").script("echo out; echo err >&2; exit 3"));
        assertEquals(RunOutcome.OK, result.outcome());
        assertEquals(3, result.exitCode());
        assertEquals("out\n", text(result.stdout()));
        assertEquals("err\n", text(result.stderr()));
        assertEquals("fake_tier_b", result.executor());
        assertEquals(
                "strict landlock=7 seccomp=sha256:0 tier=fake canary=test", result.enforcement());
        assertFalse(result.stdoutTruncated());
    }

    @Test
    void exitCodesOfTheToolAreTheToolsOwn() {
        for (int code : new int[] {0, 1, 125, 126, 127, 137, 255}) {
            RunResult result = run(call("code-" + code).script("exit " + code));
            assertEquals(RunOutcome.OK, result.outcome(), "exit " + code);
            assertEquals(code, result.exitCode());
        }
    }

    @Test
    void commandThatIgnoresTermIsTimedOutAndItsOutputSoFarIsKept() {
        RunResult result =
                run(
                        call("late")
                                .script("trap '' TERM; echo begun; sleep 600; sleep 600")
                                .wall(3_000));
        assertEquals(RunOutcome.TIMED_OUT, result.outcome());
        assertEquals("begun\n", text(result.stdout()));
        assertEquals(List.of(), FakeProcess.living("late"));
    }

    @Test
    void daemonsOfATimedOutCommandAreAllGone() {
        String daemon = "setsid sh -c 'trap \"\" TERM HUP; sleep 600; sleep 600' & ";
        RunResult result =
                run(call("many").script("(" + daemon.repeat(20) + ") ; sleep 600").wall(1_500));
        assertEquals(RunOutcome.TIMED_OUT, result.outcome());
        assertEquals(0, result.leftBehind());
        assertEquals(List.of(), FakeProcess.living("many"));
    }

    @Test
    void runReturnsAlthoughADaemonHoldsTheOutput() {
        RunResult result = run(call("holder").script("echo said; setsid sleep 600 &"));
        assertEquals(RunOutcome.OK, result.outcome());
        assertEquals("said\n", text(result.stdout()));
        assertEquals(List.of(), FakeProcess.living("holder"));
        assertTrue(result.durationMillis() < 60_000, "it waited for the daemon");
    }

    @Test
    void endlessOutputIsCutAtTheBudgetExactly() {
        RunResult result = run(call("yes").argv(List.of("/usr/bin/yes")).output(100_000));
        assertEquals(RunOutcome.OUTPUT_QUOTA, result.outcome());
        assertEquals(100_000, result.stdout().length);
        assertTrue(result.stdoutTruncated());
        assertFalse(result.problem().isEmpty());
    }

    @Test
    void bothStreamsShareOneBudget() {
        RunResult result = run(call("both").script("yes & yes error >&2 & wait").output(200_000));
        assertEquals(RunOutcome.OUTPUT_QUOTA, result.outcome());
        assertEquals(200_000, result.stdout().length + result.stderr().length);
    }

    @Test
    void outputOfExactlyTheBudgetIsWhole() {
        RunResult result = run(call("exact").script("head -c 50000 /dev/zero").output(50_000));
        assertEquals(RunOutcome.OK, result.outcome());
        assertEquals(50_000, result.stdout().length);
        assertFalse(result.stdoutTruncated());
        assertEquals(
                RunOutcome.OUTPUT_QUOTA,
                run(call("over").script("head -c 50001 /dev/zero").output(50_000)).outcome());
    }

    @Test
    void signalOfTheProcessorLimitIsItsQuota() {
        assertEquals(RunOutcome.CPU_QUOTA, run(call("xcpu").script("kill -XCPU $$")).outcome());
        assertEquals(RunOutcome.OK, run(call("term").script("kill -TERM $$")).outcome());
    }

    @Test
    void processorTimeOfTheWholeTreeIsWatched() {
        backend.wrap = process -> Broken.of(process).usage(61_000, 1, true);
        RunResult result = run(call("cpu").script("sleep 600"));
        assertEquals(RunOutcome.CPU_QUOTA, result.outcome());
        assertEquals(61_000, result.cpuMillis());
        backend.wrap = process -> Broken.of(process).usage(61_000, 1, false);
        assertEquals(RunOutcome.OK, run(call("one").script("sleep 0.3")).outcome());
    }

    @Test
    void wantOfMemoryIsItsQuota() {
        backend.wrap = process -> Broken.of(process).exit(true, 137, "", true);
        assertEquals(RunOutcome.MEMORY_QUOTA, run(call("oom")).outcome());
    }

    @Test
    void interruptionEndsTheCommandAtOnceAndKeepsItsOutput() throws Exception {
        boolean[] stillInterrupted = new boolean[1];
        FutureTask<RunResult> task =
                new FutureTask<>(
                        () -> {
                            RunResult result =
                                    run(call("stopped").script("echo begun; touch b; sleep 600"));
                            stillInterrupted[0] = Thread.currentThread().isInterrupted();
                            return result;
                        });
        Thread thread = Thread.ofPlatform().daemon().start(task);
        Await.until("the command", LONG, () -> Files.exists(folder.resolve("b")));
        thread.interrupt();
        RunResult result = task.get(30, TimeUnit.SECONDS);
        assertEquals(RunOutcome.KILLED, result.outcome());
        assertEquals("begun\n", text(result.stdout()));
        assertTrue(stillInterrupted[0]);
        assertEquals(List.of(), FakeProcess.living("stopped"));
    }

    @Test
    void cancelAtAnyMomentLeavesNothing() throws Exception {
        for (int i = 0; i < 60; i++) {
            String id = "moment-" + i;
            FutureTask<RunResult> task =
                    new FutureTask<>(
                            () -> {
                                try {
                                    return run(call(id).script("setsid sleep 600 & sleep 600"));
                                } finally {
                                    Thread.interrupted();
                                }
                            });
            Thread thread = Thread.ofPlatform().daemon().start(task);
            java.util.concurrent.locks.LockSupport.parkNanos(i * 300_000L);
            thread.interrupt();
            RunOutcome outcome = task.get(60, TimeUnit.SECONDS).outcome();
            assertTrue(
                    outcome == RunOutcome.KILLED || outcome == RunOutcome.SPAWN_FAILED,
                    id + " ended " + outcome);
            assertEquals(List.of(), FakeProcess.living(id));
        }
        assertEquals(0, runner.running());
    }

    @Test
    void threadThatIsInterruptedBeforehandEndsTheCommandAtOnce() {
        Thread.currentThread().interrupt();
        backend.wrap = process -> process;
        RunOutcome outcome;
        try {
            outcome = run(call("early").argv(List.of("/bin/sleep", "600"))).outcome();
        } finally {
            Thread.interrupted();
        }
        assertTrue(
                outcome == RunOutcome.KILLED || outcome == RunOutcome.SPAWN_FAILED,
                "ended " + outcome);
        assertEquals(List.of(), FakeProcess.living("early"));
    }

    @Test
    void callIsKnownWhileItRunsAndAfterwards() throws Exception {
        FutureTask<RunResult> task = elsewhere(call("known").script("touch k; sleep 600"));
        Await.until("the command", LONG, () -> Files.exists(folder.resolve("k")));
        assertInstanceOf(RunLookup.Running.class, runner.lookup("known"));
        assertEquals(
                ErrorCode.ALREADY_EXISTS,
                assertThrows(PalyraException.class, () -> run(call("known"))).code());
        assertTrue(runner.cancel("known"));
        assertEquals(RunOutcome.KILLED, task.get(30, TimeUnit.SECONDS).outcome());
        RunLookup.Done done = assertInstanceOf(RunLookup.Done.class, runner.lookup("known"));
        assertEquals(RunOutcome.KILLED, done.result().outcome());
        assertInstanceOf(RunLookup.Unknown.class, runner.lookup("never"));
        assertFalse(runner.cancel("known"));
    }

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
        assertArrayEquals(expected.toByteArray(), run(call("argv").argv(line)).stdout());
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
        assertTrue(result.problem().contains("network"));
        assertEquals(RunOutcome.OK, run(call("other")).outcome());
    }

    private RunOrder proxied(String id, FakeProxy proxy) {
        return new RunOrder(
                Tier.B,
                call(id).script("sleep 600").proxy("/tmp/e").build(),
                Optional.empty(),
                Optional.of(proxy),
                false);
    }

    @Test
    void aThousandRunsLeaveNothing() {
        run(call("warm")); // whatever is made once is made now
        Await.until("no threads", LONG, () -> threads() == 0);
        long before = descriptors();
        for (int i = 0; i < 1_000; i++) {
            assertEquals(RunOutcome.OK, run(call("n" + i)).outcome());
        }
        Await.until("threads to end", LONG, () -> threads() == 0);
        Await.until("descriptors to close", LONG, () -> descriptors() <= before + 5);
        assertEquals(0, runner.running());
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("palyra-sandbox-"))
                .count();
    }

    private static long descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }
}
