package palyra.sandbox.tierc.macos.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.macos.internal.sbpl.Query;
import palyra.sandbox.tierc.macos.internal.watch.FakeTable;

/** The backend on a Mac that is made up; nothing here was run on hardware. */
class MacBackendTest {
    @TempDir Path given;
    private final FakeLauncher launcher = new FakeLauncher();
    private final FakeTable table = new FakeTable();
    private final Specs specs = new Specs();
    private Path helper;
    private String owner = "root";
    private MacBackend backend;

    @BeforeEach
    void prepare() throws IOException {
        helper = Path.of("/bin/sh").toRealPath(); // a program of root, as sandbox-exec is
        specs.workspace = Files.createDirectory(given.toRealPath().resolve("w")).toString();
        specs.argv = List.of("/bin/sh", "-c", "true");
        int self = Math.toIntExact(ProcessHandle.current().pid());
        table.add(self, 1, self, 1, 1);
    }

    @AfterEach
    void stop() {
        if (backend != null) {
            backend.deactivate();
        }
    }

    private BackendStatus probe() {
        backend =
                new MacBackend(
                        launcher,
                        new SandboxExec(helper, owner),
                        Optional.of(table),
                        Optional.empty());
        return backend.probe();
    }

    private PalyraException refusal() {
        return assertThrows(PalyraException.class, () -> backend.start(specs.spec()));
    }

    @Test
    void refusesOnAHostWithoutSandboxExec() {
        helper = given.resolve("sandbox-exec");
        BackendStatus status = probe();
        assertEquals(State.REFUSING, status.state());
        assertTrue(status.cause().contains("sandbox-exec"), status.cause());
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal().code());
        assertTrue(refusal().getMessage().contains(status.cause()));
        assertTrue(launcher.plans.isEmpty());
        assertEquals(Finding.Severity.WARNING, backend.findings().get(0).severity());
    }

    @Test
    void looksAtTheHostByItselfAndRefusesUntilThen() throws InterruptedException {
        backend =
                new MacBackend(
                        launcher,
                        new SandboxExec(helper, owner),
                        Optional.of(table),
                        Optional.empty());
        assertEquals(State.PROBING, backend.status().state());
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal().code());
        backend.probeSoon();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (backend.status().state() == State.PROBING) {
            assertTrue(System.nanoTime() < deadline, "it never looked");
            Thread.sleep(5);
        }
        assertEquals(State.READY, backend.status().state());
    }

    @Test
    void refusesAsAComponentOnAnotherSystem() throws InterruptedException {
        Assumptions.assumeFalse(Files.exists(SandboxExec.SYSTEM), "this is a Mac");
        BundleContext context =
                (BundleContext)
                        java.lang.reflect.Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {BundleContext.class},
                                (proxy, method, arguments) -> given.toString());
        backend = new MacBackend(context);
        backend.addLauncher(launcher, Map.of());
        assertEquals(State.REFUSING, backend.probe().state());
        assertTrue(backend.status().cause().contains("/usr/bin/sandbox-exec"));
    }

    @Test
    void theSystemsOwnPathIsMissingHere() {
        Assumptions.assumeFalse(Files.exists(SandboxExec.SYSTEM), "this is a Mac");
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> new SandboxExec(SandboxExec.SYSTEM).identity());
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
    }

    @Test
    void refusesAHelperThatOthersMayChange() throws IOException {
        helper = Files.copy(Path.of("/bin/sh"), given.resolve("sandbox-exec"));
        Files.setPosixFilePermissions(
                helper, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
        owner = Files.getOwner(helper).getName();
        assertEquals(State.REFUSING, probe().state());
        helper = Path.of("/bin/sh").toRealPath();
        owner = "somebody";
        assertEquals(State.REFUSING, probe().state());
    }

    @Test
    void refusesOtherSystemsRootAndHostsWhoseMemoryCannotBeRead() {
        launcher.os = "linux";
        assertTrue(probe().cause().contains("linux"));
        launcher.os = "macos";
        launcher.uid = 0;
        assertTrue(backend.probe().cause().contains("root"));
        assertEquals(ErrorCode.DENIED, refusal().code());
        launcher.uid = 501;
        table.blind = true;
        assertTrue(backend.probe().cause().contains("libproc"));
        table.blind = false;
        assertEquals(State.READY, backend.probe().state());
    }

    @Test
    void takesTheStrictestProfileThatWorksAndSaysWhich() {
        BackendStatus strict = probe();
        assertEquals("strict-read", strict.facts().get("profile"));
        launcher.selfTest = plan -> plan.argv().get(2).contains("(allow file-read*)\n") ? 0 : 134;
        BackendStatus broad = backend.probe();
        assertEquals("broad-read", broad.facts().get("profile"));
        assertTrue(broad.facts().get("profile.strict-read").contains("134"));
        assertFalse(strict.fingerprint().equals(broad.fingerprint()));
        assertEquals(Finding.Severity.WARNING, backend.findings().get(0).severity());
        assertEquals(Tier.C, backend.tier());
    }

    @Test
    void refusesWhenTheTestCommandGetsOut() {
        for (int code : new int[] {10, 11, 12, 13, 14, 15, 16, 71, 134}) {
            launcher.selfTest = plan -> code;
            BackendStatus status = backend == null ? probe() : backend.probe();
            assertEquals(State.REFUSING, status.state(), "code " + code);
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal().code());
        }
        launcher.selfTest = FakeLauncher::escapes;
        assertTrue(backend.probe().cause().contains("it did what it said it could not"));
    }

    @Test
    void theTestCommandGetsOutWhereThereIsNoSandbox() throws Exception {
        Path workspace = Path.of(specs.workspace);
        Process process =
                new ProcessBuilder(
                                "/bin/sh",
                                "-c",
                                SelfTest.SCRIPT,
                                "self-test",
                                workspace.resolve("a").toString(),
                                given.resolve("b").toString(),
                                "/dev/null",
                                workspace.resolve("c").toString(),
                                "1")
                        .redirectErrorStream(true)
                        .start();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(12, process.exitValue(), "it wrote outside of the workspace");
        assertTrue(Files.exists(given.resolve("b")));
    }

    @Test
    void refusesOnceSandboxExecHasChanged() throws IOException {
        Path copy = given.resolve("helper");
        Files.copy(Path.of("/bin/sh"), copy);
        owner = Files.getOwner(copy).getName();
        Files.setPosixFilePermissions(
                copy, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        helper = copy;
        assertEquals(State.READY, probe().state());
        backend.check(specs.spec());
        Files.writeString(copy, "changed", java.nio.file.StandardOpenOption.APPEND);
        assertTrue(refusal().getMessage().contains("has changed"));
    }

    @Test
    void plansLimitsEnvironmentAndEnforcement() {
        probe();
        try (SandboxProcess process = backend.start(specs.spec())) {
            LaunchPlan plan = launcher.plans.get(launcher.plans.size() - 1);
            assertEquals(helper.toString(), plan.argv().get(0));
            assertEquals(
                    List.of("/bin/sh", "-c", "true"),
                    plan.argv().subList(plan.argv().indexOf("--") + 1, plan.argv().size()));
            assertEquals(10, plan.rlimits().cpuSeconds());
            assertEquals(0, plan.rlimits().addressSpaceBytes(), "macOS refuses that limit");
            assertEquals(1 + 128, plan.rlimits().processes(), "on top of the user's own");
            assertEquals(64L << 20, plan.rlimits().fileBytes());
            assertTrue(plan.landlock().isEmpty() && plan.seccomp().isEmpty());
            assertTrue(plan.environment().get("TMPDIR").contains("palyra-run-"));
            assertTrue(process.enforcement().startsWith("strict sandbox=seatbelt profile=strict-"));
            assertTrue(process.enforcement().contains(" egress=offline "));
            assertTrue(process.enforcement().contains(" evidence=evaluator"));
            assertTrue(Files.isDirectory(Path.of(plan.environment().get("HOME"))));
        }
        LaunchPlan plan = launcher.plans.get(launcher.plans.size() - 1);
        assertFalse(Files.exists(Path.of(plan.environment().get("HOME"))));
        assertTrue(launcher.closed.get() >= 2);
    }

    @Test
    void allowListOpensABridgeForTheRunAndOneHoleInTheProfile() throws IOException {
        probe();
        Path folder = Files.createTempDirectory("pm");
        try (ServerSocketChannel proxy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            proxy.bind(UnixDomainSocketAddress.of(folder.resolve("e.sock")));
            specs.proxyFolder = Optional.of(folder.toString());
            try (SandboxProcess process = backend.start(specs.spec())) {
                LaunchPlan plan = launcher.plans.get(launcher.plans.size() - 1);
                String url = plan.environment().get("https_proxy");
                assertTrue(url.matches("http://palyra:[0-9a-f]{64}@127.0.0.1:[0-9]+"));
                String port = url.substring(url.lastIndexOf(':') + 1);
                assertTrue(FakeLauncher.evaluator(plan).allows(Query.connect("localhost:" + port)));
                assertFalse(
                        String.join(" ", plan.argv()).contains(url.substring(14, 60)),
                        "everybody may read the arguments of a process");
                assertTrue(process.enforcement().contains(" egress=allowlist "));
            }
        } finally {
            Files.deleteIfExists(folder.resolve("e.sock"));
            Files.deleteIfExists(folder);
        }
    }

    @Test
    void givesEverythingBackWhenTheLaunchFails() throws IOException {
        probe();
        launcher.failure = new PalyraException(ErrorCode.RESOURCE_EXHAUSTED, "no process left");
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal().code());
        LaunchPlan plan = launcher.plans.get(launcher.plans.size() - 1);
        assertFalse(Files.exists(Path.of(plan.environment().get("HOME"))));
    }

    @Test
    void reportsWhyTheWatchdogEndedACommand() throws Exception {
        probe();
        launcher.report = Optional.of(new SandboxProcess.ExitReport(true, 137, "", false));
        try (SandboxProcess process = backend.start(specs.spec())) {
            assertFalse(process.await(0).orElseThrow().outOfMemory(), "somebody else killed it");
        }
        launcher.report = Optional.empty();
        table.add(100, 1, 100, 4_096, 1);
        try (SandboxProcess process = backend.start(specs.spec())) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!process.enforcement().contains("ended-for=memory")) {
                assertTrue(System.nanoTime() < deadline, "the watchdog did nothing");
                Thread.sleep(5);
            }
            assertTrue(table.killed.contains(100));
            assertEquals(4_096L << 20, process.usage().peakMemoryBytes());
        }
    }

    @Test
    void stoppingEndsWhatRunsAndStartsNothingMore() {
        probe();
        launcher.report = Optional.empty();
        specs.egress(Egress.NONE);
        backend.start(specs.spec());
        int before = launcher.closed.get();
        backend.deactivate();
        assertTrue(launcher.closed.get() > before);
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal().code());
    }
}
