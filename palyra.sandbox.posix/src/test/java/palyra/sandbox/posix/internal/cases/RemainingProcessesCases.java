package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Filters;
import palyra.sandbox.posix.internal.Plans;

/** The kernel's word on whether a process of a confined call is left. */
class RemainingProcessesCases {
    private static Plans confined(Bench bench, String script) {
        assumeTrue(bench.host().seccomp(), "this kernel takes no filters");
        assumeTrue(bench.host().landlockAbi() >= 6, "this kernel has no scopes");
        return bench.sh(script)
                .seccomp(Filters.refusing(63, 160))
                .landlock(bench.rules(true, List.of(443)));
    }

    /** Starts a process that leaves its session and its parent; {@code as} may change more. */
    private static String daemon(String as, int seconds) {
        return "(" + as + " setsid sleep " + seconds + " & ) ; sleep 0.3";
    }

    /** One command shows whether this kernel counts processes that were not taken away. */
    private static void prove(Bench bench) throws Exception {
        assertEquals(0, bench.run(confined(bench, ":")).code());
        try (SandboxProcess process = bench.launch(confined(bench, ":"))) {
            assumeTrue(
                    process.enforcement().contains(",confirmed"),
                    "this kernel says late that processes are gone: it is older than 6.11");
        }
    }

    @Test
    void aKernelThatHasNotShownItsWordIsNotBelievedWhenItIsSilent() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(confined(bench, daemon("env -i", 3374)));
            assertFalse(process.enforcement().contains("confirmed"), process.enforcement());
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertEquals(0, process.kill()); // as before: nothing was found, nobody knows better
            process.close();
            end("sleep 3374");
        }
    }

    @Test
    void whoHidesFromEverySearchIsReportedThoughNotFound() throws Exception {
        try (Bench bench = new Bench()) {
            prove(bench);
            SandboxProcess process = bench.launch(confined(bench, daemon("env -i", 3371)));
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertEquals(1, LifecycleCases.commands("sleep\0003371"));
            assertTrue(process.kill() > 0);
            end("sleep 3371");
            assertEquals(0, process.kill());
            process.close();
        }
    }

    @Test
    void whoDoesNotHideIsFoundAndEnded() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(confined(bench, daemon("", 3372)));
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertEquals(1, LifecycleCases.commands("sleep\0003372"));
            assertEquals(0, process.kill());
            assertEquals(0, LifecycleCases.commands("sleep\0003372"));
            process.close();
        }
    }

    @Test
    void enforcementSaysWhetherTheKernelConfirmsAKill() throws Exception {
        try (Bench bench = new Bench()) {
            prove(bench);
            try (SandboxProcess process = bench.launch(confined(bench, ":"))) {
                assertTrue(process.enforcement().contains(",confirmed"), process.enforcement());
            }
            try (SandboxProcess process = bench.launch(bench.sh(":"))) {
                assertFalse(process.enforcement().contains("confirmed"), process.enforcement());
            }
        }
    }

    @Test
    void aTreeOfAConfinedCommandIsKilledAtAnyMoment() throws Exception {
        try (Bench bench = new Bench()) {
            for (int i = 0; i < 40; i++) {
                SandboxProcess process =
                        bench.launch(
                                confined(bench, "sleep 3373 & setsid sleep 3373 & sleep 3373"));
                TimeUnit.MICROSECONDS.sleep(i * 300L);
                assertEquals(0, process.kill());
                process.close();
                assertEquals(0, LifecycleCases.commands("sleep\0003373"));
            }
        }
    }

    @Test
    void manyThreadsMayLaunchAtOnce() throws Exception {
        try (Bench bench = new Bench()) {
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                CompletableFuture<Integer> code = new CompletableFuture<>();
                all.add(code);
                Plans plan = confined(bench, "exit 7").callId("burst-" + i);
                Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                kind.start(() -> complete(code, bench, plan));
            }
            for (CompletableFuture<Integer> each : all) {
                assertEquals(7, each.get(Bench.PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
            }
        }
    }

    private static void complete(CompletableFuture<Integer> code, Bench bench, Plans plan) {
        try {
            code.complete(Bench.finish(bench.launch(plan)).code());
        } catch (Exception | LinkageError broken) {
            code.completeExceptionally(broken);
        }
    }

    @Test
    void whoIsInterruptedLaunchesAllTheSameAndStaysInterrupted() throws Exception {
        try (Bench bench = new Bench()) {
            Plans plan = confined(bench, "exit 3");
            Thread.currentThread().interrupt();
            SandboxProcess process = bench.launch(plan);
            assertTrue(Thread.interrupted());
            assertEquals(3, Bench.finish(process).code());
        }
    }

    @Test
    void processorTimeOfACommandThatHasEndedIsKnown() throws Exception {
        try (Bench bench = new Bench()) {
            String work = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
            SandboxProcess busy = bench.launch(bench.sh("/bin/sh -c '" + work + "'; " + work));
            assertEquals(0, busy.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertTrue(busy.usage().cpuMillis() > 50, busy.usage().toString());
            busy.close();
            SandboxProcess idle = bench.launch(bench.sh("sleep 0.3"));
            assertEquals(0, idle.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertTrue(idle.usage().cpuMillis() >= 0);
            assertTrue(idle.usage().cpuMillis() < busy.usage().cpuMillis());
            idle.close();
        }
    }

    /** Ends a process that the launcher cannot find, by its command line. */
    private static void end(String commandLine) throws InterruptedException {
        ProcessHandle.allProcesses()
                .filter(each -> commandLine.equals(line(each)))
                .forEach(ProcessHandle::destroyForcibly);
        Bench.await(
                commandLine + " ends",
                () -> LifecycleCases.commands(commandLine.replace(' ', '\0')) == 0);
    }

    private static String line(ProcessHandle process) {
        String program = process.info().command().orElse("");
        String[] arguments = process.info().arguments().orElse(new String[0]);
        return program.substring(program.lastIndexOf('/') + 1) + " " + String.join(" ", arguments);
    }
}
