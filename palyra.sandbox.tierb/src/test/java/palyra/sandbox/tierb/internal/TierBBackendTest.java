package palyra.sandbox.tierb.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.ops.Finding;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;
import palyra.testing.sandbox.FakeLauncher;
import palyra.testing.sandbox.FakeLauncher.End;
import palyra.testing.sandbox.LaunchOrders;
import palyra.testing.sandbox.Launchers;

/** What Tier B plans, refuses and says. */
class TierBBackendTest {
    private static final Set<String> NOTHING = Set.of();
    private static final Set<String> ALL = Set.of("memory", "pids", "cpu");

    @TempDir Path folder;
    private Path workspace;
    private final FakeLauncher launcher =
            new FakeLauncher(
                    FakeLauncher.capable(), plan -> new End(true, 0, "inside,changed", ""));
    private FolderCalls folders;
    private LaunchOrders orders;
    private TierBBackend backend;

    @BeforeEach
    void prepare() throws Exception {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
        orders = new LaunchOrders(launcher, workspace);
        folders = Launchers.folders();
        backend = new TierBBackend(launcher, folders, new TierBSettings(List.of("/opt/tools")));
        backend.probe();
    }

    private SandboxSpec spec(Egress egress, Optional<String> proxy, Set<String> permitMissing) {
        return orders.spec(egress, proxy, permitMissing);
    }

    private SandboxSpec spec(Map<String, String> environment) {
        return orders.spec(Egress.STRICT, Optional.empty(), NOTHING, List.of(), environment);
    }

    private LaunchPlan plan(Egress egress, Set<String> permitMissing) {
        return orders.plan(backend, spec(egress, Optional.empty(), permitMissing));
    }

    private void denied(ErrorCode code, String part, SandboxSpec spec) {
        orders.denied(backend, code, part, spec);
    }

    @Test
    void strictMeansNoSocketsAndNoTcp() {
        LaunchPlan plan = plan(Egress.STRICT, NOTHING);
        SeccompFilter filter = SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64);
        assertArrayEquals(filter.bytes(), plan.seccomp().orElseThrow());
        LaunchPlan.Landlock landlock = plan.landlock().orElseThrow();
        assertTrue(landlock.handleFiles() && landlock.restrictTcp() && landlock.scoped());
        assertEquals(Set.of(), landlock.connectPorts());
        assertEquals(
                "strict tier=b landlock=7 seccomp=sha256:"
                        + filter.sha256()
                        + " rlimits=cpu,fsize,nofile,core network=offline nproc=cgroup"
                        + " metadata=beneath protected=none",
                plan.enforcement());
    }

    @Test
    void otherModesReachAllPortsButTheGatewaysAndNoUnixSocket() {
        LaunchPlan plan = plan(Egress.NONE, NOTHING);
        LaunchPlan.Landlock landlock = plan.landlock().orElseThrow();
        assertTrue(landlock.restrictTcp());
        assertEquals(65_535, landlock.connectPorts().size());
        assertFalse(landlock.connectPorts().contains(7180));
        assertTrue(landlock.connectPorts().contains(443));
        assertArrayEquals(
                SeccompFilter.of(Profile.NOUNIX, Architecture.X86_64).bytes(),
                plan.seccomp().orElseThrow());
        assertTrue(plan.enforcement().contains(" network=host,tcp-except:7180,bind:loopback "));
        assertTrue(plan(Egress.PREFLIGHT, NOTHING).enforcement().startsWith("preflight tier=b "));
    }

    @Test
    void theSetOfPortsIsMadeOnceSoThatARulesetCanBeKept() {
        Set<Integer> first = plan(Egress.NONE, NOTHING).landlock().orElseThrow().connectPorts();
        Set<Integer> second = plan(Egress.NONE, NOTHING).landlock().orElseThrow().connectPorts();
        assertSame(first, second);
    }

    @Test
    void onlyTheWorkspaceCanBeWritten() {
        List<PathRule> rules = plan(Egress.STRICT, NOTHING).landlock().orElseThrow().paths();
        assertEquals(
                List.of(workspace.toString()),
                rules.stream()
                        .filter(rule -> rule.access() == Access.WRITE)
                        .map(PathRule::path)
                        .toList());
        for (String never :
                List.of("/", "/proc", "/tmp", "/dev", "/etc", "/home", "/run", "/sys")) {
            assertTrue(
                    rules.stream().noneMatch(rule -> rule.path().equals(never)),
                    never + " is open");
        }
        assertTrue(rules.contains(new PathRule("/opt/tools", Access.EXECUTE)));
        assertTrue(rules.contains(new PathRule("/opt/data", Access.EXECUTE)));
        assertTrue(rules.stream().noneMatch(rule -> rule.path().equals("/etc/resolv.conf")));
    }

    @Test
    void theEnvironmentIsTheOrdersAndTheSandboxes() {
        Map<String, String> environment = plan(Egress.STRICT, NOTHING).environment();
        String scratch = workspace + "/.palyra-tmp-call-1";
        assertEquals(
                Map.of(
                        "A",
                        "b",
                        "PATH",
                        "/usr/local/bin:/usr/bin:/bin",
                        "HOME",
                        scratch,
                        "TMPDIR",
                        scratch,
                        "LANG",
                        "C.UTF-8"),
                environment);
    }

    @Test
    void variablesThatActBeforeTheLimitsAreRefused() {
        for (String name : List.of("LD_PRELOAD", "BASH_ENV", "ENV", "GLIBC_TUNABLES", "IFS")) {
            denied(ErrorCode.DENIED, name, spec(Map.of(name, "x")));
        }
        denied(ErrorCode.INVALID_ARGUMENT, "A=B", spec(Map.of("A=B", "x")));
        denied(ErrorCode.INVALID_ARGUMENT, "not a valid variable", spec(Map.of("A", "x\0y")));
    }

    @Test
    void anAllowListNeedsTierC() {
        denied(
                ErrorCode.DENIED,
                "use Tier C",
                spec(Egress.STRICT, Optional.of("/run/proxy"), NOTHING));
    }

    @Test
    void whatIsMissingIsRefusedUnlessPermittedAndThenSaid() {
        missing(FakeLauncher.host(1000, 0, true, ALL, ""), "landlock", "Landlock version 6");
        missing(FakeLauncher.host(1000, 5, true, ALL, ""), "landlock", "version 5");
        missing(FakeLauncher.host(1000, 7, false, ALL, ""), "seccomp", "seccomp filters");
        missing(FakeLauncher.host(1000, 7, true, Set.of(), ""), "cgroup", "cgroup");
        missing(FakeLauncher.host(1000, 7, true, Set.of("memory"), ""), "cgroup", "cgroup");
        launcher.become(FakeLauncher.host(1000, 0, false, Set.of(), ""));
        String said = plan(Egress.STRICT, Set.of("landlock", "seccomp", "cgroup")).enforcement();
        assertEquals(
                "strict tier=b landlock=missing(permitted) seccomp=missing(permitted)"
                        + " rlimits=cpu,fsize,nofile,core network=open(permitted) nproc=none"
                        + " metadata=open protected=none",
                said);
        launcher.become(FakeLauncher.host(1000, 5, true, ALL, ""));
        assertTrue(
                plan(Egress.STRICT, Set.of("landlock"))
                        .enforcement()
                        .contains(" landlock=5(permitted) "));
    }

    private void missing(HostFacts host, String name, String part) {
        launcher.become(host);
        denied(ErrorCode.TOOL_UNAVAILABLE, part, spec(Egress.STRICT, Optional.empty(), NOTHING));
        backend.check(spec(Egress.STRICT, Optional.empty(), Set.of(name)));
    }

    @Test
    void rootIsRefused() {
        launcher.become(FakeLauncher.host(0, 7, true, ALL, ""));
        denied(ErrorCode.DENIED, "root", spec(Egress.STRICT, Optional.empty(), NOTHING));
        assertEquals(State.REFUSING, backend.probe().state());
        assertEquals(Finding.Severity.INFO, backend.findings().get(0).severity());
    }

    @Test
    void nothingRunsBeforeTheHostWasLookedAt() {
        TierBBackend fresh = new TierBBackend(launcher, folders, new TierBSettings(List.of()));
        assertEquals(State.PROBING, fresh.status().state());
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> fresh.check(spec(Egress.STRICT, Optional.empty(), NOTHING)));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
    }

    @Test
    void aHostWhereTheTrialFailsRefusesEverything() {
        launcher.answer(plan -> new End(true, 2, "", "sh: cannot create"));
        assertEquals(State.REFUSING, backend.probe().state());
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "cannot create",
                spec(Egress.STRICT, Optional.empty(), NOTHING));
        launcher.answer(plan -> new End(true, 0, "insideoutside", ""));
        assertTrue(backend.probe().cause().contains("despite Landlock"));
        launcher.answer(plan -> new End(false, -1, "", ""));
        assertEquals(State.REFUSING, backend.probe().state());
        launcher.answer(plan -> new End(true, 0, "inside,changed", ""));
        assertEquals(State.READY, backend.probe().state());
    }

    @Test
    void metadataIsBeneathTheWorkspaceWhereASupervisedTrialWorked() {
        assertTrue(plan(Egress.STRICT, NOTHING).landlock().orElseThrow().metadata());
        assertEquals("beneath", backend.status().facts().get("metadata"));
        assertEquals(List.of(), backend.findings());
    }

    @Test
    void metadataIsSaidToBeOpenWhereASupervisedTrialFailed() {
        String before = backend.status().fingerprint();
        for (String said : List.of("inside", "inside,changed,opened")) {
            launcher.answer(
                    plan ->
                            plan.landlock().orElseThrow().metadata()
                                    ? new End(true, 0, said, "chmod: denied")
                                    : new End(true, 0, "inside", ""));
            assertEquals(State.READY, backend.probe().state());
            LaunchPlan plan = plan(Egress.STRICT, NOTHING);
            assertFalse(plan.landlock().orElseThrow().metadata());
            assertTrue(plan.enforcement().contains(" metadata=open "), plan.enforcement());
            assertFalse(before.equals(backend.status().fingerprint()));
            assertTrue(
                    backend.findings().stream()
                            .anyMatch(one -> one.message().contains("(metadata=open)")),
                    backend.findings().toString());
        }
    }

    @Test
    void theFingerprintFollowsTheKernel() {
        String before = backend.probe().fingerprint();
        assertEquals(before, backend.probe().fingerprint());
        launcher.become(FakeLauncher.host(1000, 6, true, ALL, ""));
        assertFalse(before.equals(backend.probe().fingerprint()));
    }

    @Test
    void theScratchFolderIsThereDuringTheCallAndGoneAfterwards() throws IOException {
        Path scratch = workspace.resolve(".palyra-tmp-call-1");
        try (SandboxProcess process =
                backend.start(spec(Egress.STRICT, Optional.empty(), NOTHING))) {
            assertTrue(Files.isDirectory(scratch));
            assertEquals(1, process.pid());
        }
        assertFalse(Files.exists(scratch));
        Files.createSymbolicLink(scratch, folder);
        denied(
                ErrorCode.CONFLICT,
                "exists already",
                spec(Egress.STRICT, Optional.empty(), NOTHING));
    }

    @Test
    void whatIsLeftInTheScratchFolderIsRemovedWithoutFollowingLinks() throws IOException {
        Path scratch = workspace.resolve(".palyra-tmp-call-1");
        Path kept = Files.writeString(folder.resolve("kept"), "x");
        try (SandboxProcess process =
                backend.start(spec(Egress.STRICT, Optional.empty(), NOTHING))) {
            Files.writeString(scratch.resolve("left"), process.enforcement());
            Files.createSymbolicLink(scratch.resolve("link"), folder.toRealPath());
        }
        assertFalse(Files.exists(scratch));
        assertTrue(Files.exists(kept));
        assertEquals("/usr/bin/env", launcher.last().argv().get(0), "no program is needed for it");
    }

    private void nestTooDeep(Path scratch) throws IOException {
        Files.createDirectories(Path.of(scratch + "/d".repeat(80)));
    }

    @Test
    void whatIsTooDeepIsLeftWhereNothingConfinesItsRemoval() throws IOException {
        launcher.become(
                new HostFacts(
                        "linux",
                        "x86_64",
                        "5.10",
                        1000,
                        "posix_spawn",
                        0,
                        true,
                        false,
                        "v2",
                        ALL,
                        ""));
        int before = launcher.plans().size();
        try (SandboxProcess process =
                backend.start(spec(Egress.STRICT, Optional.empty(), Set.of("landlock")))) {
            nestTooDeep(workspace.resolve(".palyra-tmp-call-1"));
            assertFalse(process.enforcement().isEmpty());
        }
        assertEquals(before + 1, launcher.plans().size(), "nothing was launched to remove it");
    }

    @Test
    void whatIsTooDeepInTheScratchFolderIsRemovedUnderTheSameConfinement() throws IOException {
        Path scratch = workspace.resolve(".palyra-tmp-call-1");
        try (SandboxProcess process =
                backend.start(spec(Egress.STRICT, Optional.empty(), NOTHING))) {
            nestTooDeep(scratch);
            assertFalse(process.enforcement().isEmpty());
        }
        LaunchPlan sweep = launcher.last();
        assertEquals("/bin/sh", sweep.argv().get(0));
        assertEquals(scratch.toString(), sweep.argv().get(4));
        assertTrue(sweep.landlock().orElseThrow().handleFiles());
        assertTrue(sweep.seccomp().isPresent());
        assertTrue(
                backend.findings().stream()
                        .anyMatch(finding -> finding.message().contains("could not be removed")));
    }

    @Test
    void aWorkspaceThatIsExchangedDuringTheStartIsNoticed() {
        orders.exchangedDuringTheStart(backend);
    }

    @Test
    void kernelViewsAreNeverConfiguredAsReadable() {
        for (String path :
                List.of("/", "/proc", "/sys/fs", "/dev", "/run/user", "etc", "/a/../b")) {
            assertThrows(PalyraException.class, () -> new TierBSettings(List.of(path)), path);
        }
    }

    @Test
    void withoutALauncherEverythingIsRefusedUntilOneComesBack() {
        orders.withoutALauncher(
                backend,
                () -> backend.removeLauncher(launcher),
                () -> backend.addLauncher(launcher, Map.of()));
        backend.close();
        backend.close();
    }

    @Test
    void withoutWhatOpensFoldersNothingIsMadeOrStartedUntilItComesBack() throws IOException {
        backend.removeFolders(folders);
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "The folder service",
                spec(Egress.STRICT, Optional.empty(), NOTHING));
        try (Stream<Path> left = Files.list(workspace)) {
            assertEquals(List.of(), left.toList());
        }
        backend.addFolders(folders, Map.of());
        assertEquals("strict", plan(Egress.STRICT, NOTHING).enforcement().split(" ")[0]);
    }

    @Test
    void aScratchFolderIsRemovedAlthoughWhatOpenedItsWorkspaceIsGone() {
        Path scratch = workspace.resolve(".palyra-tmp-call-1");
        try (SandboxProcess process =
                backend.start(spec(Egress.STRICT, Optional.empty(), NOTHING))) {
            assertEquals(1, process.pid());
            assertTrue(Files.isDirectory(scratch));
            backend.removeFolders(folders);
        }
        assertFalse(Files.exists(scratch));
    }
}
