package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.testing.wait.Await;

/** What the runner promises about one command, with ordinary processes. */
@Timeout(300)
class RunnerTest extends RunnerFixture {
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
        assertFalse(result.stdout().truncated());
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
    void whatLostItsParentIsCountedWithWhatItStarted() {
        LiveRun live =
                runner.start(
                        RunOrder.of(
                                Tier.B,
                                call("left")
                                        .script(
                                                "sleep 600 & sleep 600 & sh -c 'sleep 600; :' & wait")
                                        .build()));
        Await.until("three besides the first child", () -> live.leftRunning() == 3);
        live.stop(Stop.CANCELLED);
        live.await();
        assertEquals(0, live.leftRunning());
    }

    @Test
    void endlessOutputEndsNothingAndIsKeptInPartOnly() {
        RunResult result =
                run(call("yes").argv(List.of("/usr/bin/yes")).output(100_000).wall(2_000));
        assertEquals(RunOutcome.TIMED_OUT, result.outcome());
        assertEquals(100_000, result.stdout().beginning().length);
        assertTrue(result.stdout().bytes() > 1_000_000, "yes wrote " + result.stdout().bytes());
        String shown = result.stdout().shown(2_000);
        assertTrue(shown.startsWith("y\ny\n") && shown.endsWith("y\ny\n"), shown);
        assertTrue(shown.contains(" lines left out; "), shown);
    }

    @Test
    void outputOfExactlyWhatMemoryKeepsIsWhole() {
        RunResult result = run(call("exact").script("head -c 50000 /dev/zero").output(50_000));
        assertEquals(RunOutcome.OK, result.outcome());
        assertEquals(50_000, result.stdout().beginning().length);
        assertFalse(result.stdout().truncated());
        result = run(call("over").script("head -c 50001 /dev/zero").output(50_000));
        assertEquals(RunOutcome.OK, result.outcome());
        assertTrue(result.stdout().truncated());
    }

    @Test
    void signalOfTheProcessorLimitIsItsQuota() {
        backend.wrap = process -> Broken.of(process).usage(59_900, 1, false);
        assertEquals(RunOutcome.CPU_QUOTA, run(call("xcpu").script("kill -XCPU $$")).outcome());
        backend.wrap = process -> Broken.of(process).usage(10, 1, false);
        assertEquals(RunOutcome.OK, run(call("own").script("kill -XCPU $$")).outcome());
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
    void twoHundredRunsLeaveNothing() {
        run(call("warm")); // whatever is made once is made now
        Await.until("no threads", LONG, () -> threads() == 0);
        long before = descriptors();
        for (int i = 0; i < 200; i++) {
            assertEquals(RunOutcome.OK, run(call("n" + i)).outcome());
        }
        Await.until("threads to end", LONG, () -> threads() == 0);
        Await.until("descriptors to close", LONG, () -> descriptors() <= before + 5);
        assertEquals(0, runner.running());
    }

    private static long descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }
}
