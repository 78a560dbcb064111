package palyra.sandbox.posix.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.spawn.ShellDialect;
import palyra.sandbox.posix.internal.spawn.ShellProbe;

/** What is refused when a guard is missing, and what still works with less. */
class RefusalTest {
    private static class Weak extends HostProbe {
        private final String spawn;
        private final boolean shell;

        Weak(String spawn, boolean shell) {
            super(true, Optional.empty());
            this.spawn = spawn;
            this.shell = shell;
        }

        @Override
        String spawn(Libc libc) {
            return spawn;
        }

        @Override
        ShellDialect shell(boolean linux) {
            return shell
                    ? super.shell(linux)
                    : new ShellDialect("/bin/sh is gone.", "", 512, false);
        }
    }

    private static void refused(ErrorCode code, Bench bench, Plans plan) {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> bench.launch(plan).close());
        assertEquals(code, refused.code(), refused.getMessage());
    }

    @Test
    void aGatewayWithRootsRightsLaunchesNothing() throws Exception {
        assumeTrue(Child.root(), "this is not root");
        try (Bench bench = new Bench()) {
            var ran = bench.workspace.resolve("ran");
            refused(ErrorCode.DENIED, bench, Plans.of("/usr/bin/touch", ran.toString()));
            assertFalse(Files.exists(ran));
            assertTrue(bench.host().problem().contains("root"));
        }
        try (Bench bench = new Bench(new HostProbe(true, Optional.empty()))) {
            assertEquals(0, bench.run(Plans.of("/bin/true")).code());
        }
    }

    @Test
    void withoutAShellNothingIsLaunched() throws Exception {
        try (Bench bench = new Bench(new Weak(HostProbe.POSIX_SPAWN, false))) {
            refused(ErrorCode.TOOL_UNAVAILABLE, bench, Plans.of("/bin/true"));
        }
    }

    @Test
    void withoutPosixSpawnKernelRestrictionsAreRefused() throws Exception {
        try (Bench bench = new Bench(new Weak(HostProbe.PROCESS_BUILDER, true))) {
            Landlock rules = new Landlock(true, List.of(), false, Set.of(), false);
            ErrorCode code = ErrorCode.TOOL_UNAVAILABLE;
            refused(code, bench, bench.sh("true").landlock(rules));
            refused(code, bench, bench.sh("true").seccomp(Filters.refusing(63, 160)));
            refused(code, bench, bench.sh("true").pass(3, new byte[1]));
            refused(code, bench, bench.sh("true").status(4));
        }
    }

    @Test
    void withoutPosixSpawnLimitsSessionsAndKillsStillWork() throws Exception {
        try (Bench bench = new Bench(new Weak(HostProbe.PROCESS_BUILDER, true))) {
            Bench.Result result =
                    bench.run(
                            bench.sh("cat; ulimit -n; exit 4")
                                    .limits(new Rlimits(9, 0, 0, 33, 0))
                                    .env("A", "b"));
            assertEquals("33\n", result.text());
            assertEquals(4, result.code());
            assertEquals(137, bench.run(bench.sh("kill -9 0; sleep 5")).code());
            SandboxProcess process = bench.launch(bench.sh("setsid sleep 3391 & sleep 3391"));
            assertTrue(process.enforcement().contains("spawn=process_builder"));
            assertEquals(0, process.kill());
            assertEquals(137, process.await(0).orElseThrow().exitCode());
            process.close();
            refused(ErrorCode.NOT_FOUND, bench, Plans.of("/nowhere/x"));
        }
    }

    @Test
    void theServiceAnswersForAHostAndStops() throws Exception {
        PosixComponent component = new PosixComponent(new HostProbe(true, Optional.empty()));
        assertEquals("linux", component.host().os());
        assertEquals("posix_spawn", component.refresh().spawn());
        SandboxProcess process = component.launch(Plans.of("/bin/sleep", "3392").plan());
        assertEquals(6, component.metrics().size());
        assertTrue(component.findings().stream().noneMatch(each -> each.remedy().isEmpty()));
        component.stop();
        assertEquals(137, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
        assertThrows(PalyraException.class, () -> component.launch(Plans.of("/bin/true").plan()));
        assertEquals("/bin/sh", ShellProbe.SHELL);
    }
}
