package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Plans;

/** Processes that write status lines: scripts that pretend to, and bubblewrap. */
class StatusCases {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");
    private static final String OPTIONS =
            "--unshare-user\0--unshare-pid\0--unshare-net\0--unshare-ipc\0--die-with-parent\0"
                    + "--new-session\0--cap-drop\0ALL\0--ro-bind\0/\0/\0--proc\0/proc\0--dev\0"
                    + "/dev\0--clearenv\0";

    private static final String BEGINNING = "\0--args\0005\0--json-status-fd\0004\0--\0";

    private static Plans bwrap(Bench bench, String... command) {
        assertTrue(Files.isExecutable(BWRAP), "bubblewrap is missing: apt-get install bubblewrap");
        List<String> argv =
                new ArrayList<>(
                        List.of(BWRAP.toString(), "--args", "5", "--json-status-fd", "4", "--"));
        argv.addAll(List.of(command));
        return Plans.of(argv.toArray(new String[0]))
                .noEnvironment()
                .in(bench.workspace)
                .limits(new Rlimits(60, 0, 0, 256, 0))
                .pass(5, OPTIONS.getBytes())
                .status(4);
    }

    @Test
    void theStatusLineTellsTheCodeOfTheCommand() throws Exception {
        try (Bench bench = new Bench()) {
            String script = "echo '{\"child-pid\": 1}' >&4; echo '{\"exit-code\": 3}' >&4; exit 9";
            Bench.Result result = bench.run(bench.sh(script).status(4));
            assertTrue(result.report().started());
            assertEquals(3, result.code());
        }
    }

    @Test
    void withoutAStatusLineTheCommandDidNotRun() throws Exception {
        try (Bench bench = new Bench()) {
            for (String lines : List.of("", "echo noise >&4", "echo '[]' >&4; echo '{' >&4")) {
                Bench.Result result = bench.run(bench.sh(lines + "\nexit 1").status(4));
                assertFalse(result.report().started(), lines);
                assertEquals(-1, result.code());
                assertTrue(result.report().problem().contains("standard error"));
            }
        }
    }

    @Test
    void aStatusWriterThatNeverNamesAChildIsKilledInTime() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process =
                    bench.launch(bench.sh("echo up >up; setsid sleep 3351").status(4));
            bench.awaitFile("up");
            assertEquals(0, process.kill());
            assertEquals(0, LifecycleCases.commands("sleep\0003351"));
            process.close();
        }
    }

    @Test
    void codesOfACommandInBubblewrapAreItsOwn() throws Exception {
        try (Bench bench = new Bench()) {
            for (int code : new int[] {0, 1, 125, 127}) {
                Bench.Result result = bench.run(bwrap(bench, "/bin/sh", "-c", "exit " + code));
                assertTrue(result.report().started(), result.errors());
                assertEquals(code, result.code());
            }
            Bench.Result killed = bench.run(bwrap(bench, "/bin/sh", "-c", "kill -9 $$"));
            assertEquals(137, killed.code());
            assertTrue(killed.report().started());
        }
    }

    @Test
    void aCommandThatBubblewrapCannotExecuteWasNotStarted() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result = bench.run(bwrap(bench, "/nowhere/x"));
            assertFalse(result.report().started());
            assertTrue(result.errors().contains("/nowhere/x"), result.errors());
        }
    }

    @Test
    void nothingOfTheGatewaysEnvironmentOrDescriptorsIsInside() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(
                            bwrap(
                                    bench,
                                    "/bin/sh",
                                    "-c",
                                    "tr '\\0' '\\n' </proc/1/environ; for n in 3 4 5 6 7 8 9;"
                                            + " do [ ! -e /proc/$$/fd/$n ] || echo fd $n; done"));
            assertEquals(1, result.text().lines().count(), result.text());
            assertTrue(result.text().startsWith("PALYRA_SANDBOX_CALL="), result.text());
        }
    }

    @Test
    void daemonsInBubblewrapDieWithItAndAKillIsComplete() throws Exception {
        try (Bench bench = new Bench()) {
            String script = "for i in 1 2 3 4 5; do (env -i setsid sleep 3352 &); done; sleep 3352";
            SandboxProcess process = bench.launch(bwrap(bench, "/bin/sh", "-c", script));
            Bench.await("daemons", () -> LifecycleCases.commands("sleep\0003352") == 6);
            assertEquals(0, process.kill());
            assertEquals(0, LifecycleCases.commands("sleep\0003352"));
            assertEquals(137, process.await(0).orElseThrow().exitCode());
            process.close();
        }
    }

    @Test
    void aKillAtAnyMomentOfTheSetUpLeavesNothing() throws Exception {
        try (Bench bench = new Bench()) {
            String helper = BWRAP + BEGINNING + "/bin/sleep\0003353";
            SandboxProcess control = bench.launch(bwrap(bench, "/bin/sleep", "3353"));
            Bench.await("a helper that is seen", () -> LifecycleCases.commands(helper) > 0);
            control.kill();
            control.close();
            for (int i = 0; i < 60; i++) {
                SandboxProcess process = bench.launch(bwrap(bench, "/bin/sleep", "3353"));
                TimeUnit.MICROSECONDS.sleep(i * 400L);
                assertEquals(0, process.kill());
                process.close();
            }
            Bench.await("all gone", () -> LifecycleCases.commands("/bin/sleep\0003353") == 0);
            assertEquals(0, LifecycleCases.commands(helper));
        }
    }

    @Test
    void theSandboxLivesOnWhenTheThreadThatLaunchedItEnds() throws Exception {
        try (Bench bench = new Bench()) {
            Landlock ports = new Landlock(false, List.of(), true, Set.of(443), true);
            for (Landlock rules : java.util.Arrays.asList(null, ports)) {
                SandboxProcess[] process = new SandboxProcess[1];
                Plans plan = bwrap(bench, "/bin/sh", "-c", "sleep 1; exit 5").landlock(rules);
                Thread thread = Thread.ofPlatform().start(() -> process[0] = bench.launch(plan));
                thread.join();
                assertEquals(5, Bench.finish(process[0]).code());
            }
        }
    }
}
