package palyra.sandbox.tierc.windows.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/** The backend on a Windows that is made up; nothing here was run on hardware. */
class WindowsBackendTest {
    private final FakeKernel32 kernel = new FakeKernel32();
    private boolean administrator;
    private final WindowsBackend backend =
            new WindowsBackend(
                    new Windows(
                            Optional.of(kernel), "", () -> administrator, "C:\\Windows", "10.0"));

    private static SandboxSpec spec(Egress egress, Set<String> permitMissing, String... changed) {
        return new SandboxSpec(
                "call-1",
                List.of(changed.length > 0 ? changed[0] : "/C:/tools/a.exe", "x y"),
                Map.of("A", "1", "TEMP", "C:\\elsewhere"),
                "/C:/work",
                changed.length > 1 ? changed[1] : "/C:/work/sub",
                List.of(".git/hooks"),
                List.of(),
                egress,
                Optional.empty(),
                Set.of(7142),
                SandboxLimits.DEFAULT,
                permitMissing,
                false);
    }

    private static final Set<String> ACCEPTED = Set.of("landlock", "seccomp");

    private void denied(SandboxSpec spec) {
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(spec));
        assertEquals(ErrorCode.DENIED, refused.code(), refused.getMessage());
    }

    @BeforeEach
    void probe() {
        backend.probe();
        kernel.calls.clear();
        kernel.inherited.clear();
    }

    @Test
    void saysWhyTheHostCouldNotBeLookedAt() {
        Windows broken =
                new Windows(
                        Optional.of(kernel),
                        "",
                        () -> {
                            throw new UnsatisfiedLinkError("no IsUserAnAdmin");
                        },
                        "C:\\Windows",
                        "10.0");
        WindowsBackend there = new WindowsBackend(broken);
        assertEquals(State.REFUSING, there.probe().state());
        assertTrue(there.status().cause().contains("no IsUserAnAdmin"), there.status().cause());
    }

    @Test
    void refusesOnAnotherSystem() {
        Assumptions.assumeFalse(Platform.isWindows(), "this is Windows");
        WindowsBackend here = new WindowsBackend();
        assertEquals(State.REFUSING, here.probe().state());
        assertTrue(here.status().cause().contains("not Windows"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> here.start(spec(Egress.NONE, ACCEPTED)));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("not Windows"));
        assertEquals(Finding.Severity.WARNING, here.findings().get(0).severity());
    }

    @Test
    void isTierBAndSaysThatItIsolatesNothing() {
        assertEquals(Tier.B, backend.tier());
        assertEquals(State.READY, backend.status().state());
        assertEquals("none", backend.status().facts().get("isolation"));
        assertEquals(Finding.Severity.WARNING, backend.findings().get(0).severity());
    }

    @Test
    void strictEgressIsAlwaysRefused() {
        denied(spec(Egress.STRICT, ACCEPTED));
        denied(spec(Egress.STRICT, Set.of("landlock", "seccomp", "cgroup")));
        assertFalse(kernel.calls.contains("CreateProcessW"));
    }

    @Test
    void refusesWhoeverDidNotAcceptThatNothingIsIsolated() {
        for (Set<String> missing :
                List.of(Set.<String>of(), Set.of("landlock"), Set.of("seccomp"))) {
            denied(spec(Egress.NONE, missing));
            denied(spec(Egress.PREFLIGHT, missing));
        }
        assertFalse(kernel.calls.contains("CreateProcessW"));
    }

    @Test
    void refusesAdministrators() {
        administrator = true;
        denied(spec(Egress.NONE, ACCEPTED));
        assertEquals(State.REFUSING, backend.probe().state());
        administrator = false;
        assertEquals(State.READY, backend.probe().state());
    }

    @Test
    void refusesUntilASmallProgramHasRunInAJob() throws InterruptedException {
        WindowsBackend fresh =
                new WindowsBackend(
                        new Windows(Optional.of(kernel), "", () -> false, "C:\\Windows", "10.0"));
        assertEquals(State.PROBING, fresh.status().state());
        assertThrows(PalyraException.class, () -> fresh.start(spec(Egress.NONE, ACCEPTED)));
        fresh.probeSoon();
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (fresh.status().state() == State.PROBING) {
            assertTrue(System.nanoTime() < deadline, "it never looked");
            Thread.sleep(5);
        }
        assertEquals(State.READY, fresh.status().state());
        fresh.deactivate();
        kernel.selfTestCode = 1;
        assertEquals(State.REFUSING, backend.probe().state());
        kernel.selfTestCode = 0;
        kernel.counted = 0;
        assertTrue(backend.probe().cause().contains("did not count"));
        kernel.counted = 1;
        kernel.mortal = false;
        assertTrue(backend.probe().cause().contains("could not be ended"));
        kernel.mortal = true;
        assertEquals(State.READY, backend.probe().state());
        assertTrue(kernel.open.isEmpty());
        assertTrue(kernel.wrong.isEmpty(), kernel.wrong.toString());
    }

    @Test
    void refusesWhenNoJobCanBeMade() {
        FakeKernel32 without = new FakeKernel32();
        without.failAt = 0;
        WindowsBackend refusing =
                new WindowsBackend(
                        new Windows(Optional.of(without), "", () -> false, "C:\\Windows", "10.0"));
        assertEquals(State.REFUSING, refusing.probe().state());
        assertThrows(PalyraException.class, () -> refusing.start(spec(Egress.NONE, ACCEPTED)));
    }

    @Test
    void refusesBatchFilesAndFoldersOutside() {
        denied(spec(Egress.NONE, ACCEPTED, "/C:/tools/a.bat"));
        denied(spec(Egress.NONE, ACCEPTED, "/C:/tools/a.exe", "/C:/workshop"));
        denied(spec(Egress.NONE, ACCEPTED, "/C:/tools/a.exe", "/D:/work"));
    }

    @Test
    void startsWithItsOwnEnvironmentAndSaysWhatHolds() {
        String scratch;
        try (SandboxProcess process = backend.start(spec(Egress.PREFLIGHT, ACCEPTED))) {
            assertEquals("\"C:\\tools\\a.exe\" \"x y\"", kernel.line);
            assertEquals("C:\\work\\sub", kernel.folder);
            assertTrue(kernel.environment.startsWith("A=1\0HOME="));
            assertTrue(kernel.environment.contains("\0PATH=C:\\Windows\\System32;C:\\Windows\0"));
            assertFalse(kernel.environment.contains("elsewhere"));
            assertTrue(process.enforcement().startsWith("preflight sandbox=job-object "));
            assertTrue(process.enforcement().contains(" isolation=none "));
            scratch = kernel.environment.replaceAll("(?s).*\0TEMP=([^\0]*)\0.*", "$1");
            assertTrue(Files.isDirectory(Path.of(scratch)));
        }
        assertFalse(Files.exists(Path.of(scratch)));
        assertTrue(kernel.open.isEmpty());
        assertTrue(kernel.wrong.isEmpty(), kernel.wrong.toString());
    }

    @Test
    void stoppingEndsWhatRunsAndStartsNothingMore() {
        backend.start(spec(Egress.NONE, ACCEPTED));
        backend.deactivate();
        assertTrue(kernel.calls.contains("TerminateJobObject 137"));
        assertTrue(kernel.open.isEmpty());
        assertThrows(PalyraException.class, () -> backend.start(spec(Egress.NONE, ACCEPTED)));
        assertTrue(kernel.open.isEmpty());
    }
}
