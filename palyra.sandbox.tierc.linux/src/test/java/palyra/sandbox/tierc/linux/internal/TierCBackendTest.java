package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;
import palyra.testing.sandbox.FakeLauncher;
import palyra.testing.sandbox.FakeLauncher.End;

/** What Tier C plans, refuses and says. */
class TierCBackendTest {
    private static final Set<String> ALL = Set.of("memory", "pids", "cpu");

    @TempDir Path folder;
    private Path root;
    private Path workspace;
    private Path bwrap;
    private Path socat;
    private FakeLauncher launcher;
    private TierCBackend backend;

    @BeforeEach
    void prepare() throws IOException {
        root = folder.toRealPath();
        workspace = Files.createDirectory(root.resolve("workspace"));
        bwrap = program("bwrap", "not really");
        socat = program("socat", "not really");
        launcher = new FakeLauncher(FakeLauncher.capable(), TierCBackendTest::answer);
        backend = backend(bwrap, socat);
        assertEquals(State.READY, backend.probe().state(), backend.status().cause());
    }

    private TierCBackend backend(Path bwrapPath, Path socatPath) {
        return new TierCBackend(
                launcher,
                new TierCSettings(bwrapPath.toString(), socatPath.toString(), List.of("/opt/t")),
                root.resolve("sys"));
    }

    private Path program(String name, String content) throws IOException {
        Path program = Files.writeString(root.resolve(name), content);
        Files.setPosixFilePermissions(
                program, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private static End answer(LaunchPlan plan) {
        return plan.argv().contains("--version")
                ? new End(true, 0, "bubblewrap 0.8.0\n", "")
                : new End(true, 0, "inside", "");
    }

    private SandboxSpec spec(Egress egress, Optional<String> proxy, Set<String> permitMissing) {
        return spec(egress, proxy, permitMissing, List.of(".git/hooks"), Map.of("A", "b"));
    }

    private SandboxSpec spec(
            Egress egress,
            Optional<String> proxy,
            Set<String> permitMissing,
            List<String> protectedPaths,
            Map<String, String> environment) {
        return new SandboxSpec(
                "call-1",
                List.of("/usr/bin/env", "x"),
                environment,
                workspace.toString(),
                workspace.toString(),
                protectedPaths,
                List.of("/opt/data"),
                egress,
                proxy,
                Set.of(7180),
                SandboxLimits.DEFAULT,
                permitMissing,
                false);
    }

    private LaunchPlan plan(SandboxSpec spec) {
        try (SandboxProcess process = backend.start(spec)) {
            assertEquals(1, process.pid());
        }
        return launcher.last();
    }

    private LaunchPlan plan(Egress egress) {
        return plan(spec(egress, Optional.empty(), Set.of()));
    }

    private static List<String> options(LaunchPlan plan) {
        String text = new String(passed(plan, 5), StandardCharsets.UTF_8);
        List<String> words = new ArrayList<>(List.of(text.split("\0", -1)));
        words.remove(words.size() - 1);
        return words;
    }

    private static byte[] passed(LaunchPlan plan, int descriptor) {
        return plan.passed().stream()
                .filter(one -> one.descriptor() == descriptor)
                .map(Passed::content)
                .findFirst()
                .orElseThrow();
    }

    private static boolean has(List<String> words, String... sequence) {
        return java.util.Collections.indexOfSubList(words, List.of(sequence)) >= 0;
    }

    private void denied(ErrorCode code, String part, SandboxSpec spec) {
        int before = launcher.plans().size();
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(spec));
        assertEquals(code, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
        assertEquals(before, launcher.plans().size(), "something was launched");
    }

    @Test
    void bubblewrapGetsNothingButDescriptorsAndTheCommand() {
        LaunchPlan plan = plan(Egress.STRICT);
        assertEquals(
                List.of(bwrap.toString(), "--args", "5", "--", "/bin/sh", "-c"),
                plan.argv().subList(0, 6));
        assertEquals(List.of("sh", "128", "/usr/bin/env", "x"), plan.argv().subList(7, 11));
        assertEquals(Map.of(), plan.environment());
        assertEquals(4, plan.statusDescriptor());
        assertTrue(plan.landlock().isEmpty() && plan.seccomp().isEmpty());
        assertArrayEquals(
                SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(
                new String(passed(plan, 10), StandardCharsets.UTF_8).startsWith("sandbox:x:1000"));
        assertTrue(
                plan.passed().stream().filter(one -> one.descriptor() < 10).count() <= 3,
                "the launcher needs single digits for its own");
    }

    @Test
    void everythingIsUnsharedNothingIsCapableAndTheRootIsReadOnlyLast() {
        List<String> words = options(plan(Egress.STRICT));
        for (String option :
                List.of(
                        "--unshare-user",
                        "--unshare-ipc",
                        "--unshare-pid",
                        "--unshare-uts",
                        "--unshare-net",
                        "--disable-userns",
                        "--die-with-parent",
                        "--new-session",
                        "--clearenv")) {
            assertTrue(words.contains(option), option);
        }
        assertTrue(has(words, "--cap-drop", "ALL"));
        assertTrue(has(words, "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"));
        assertTrue(has(words, "--seccomp", "3"));
        assertTrue(has(words, "--remount-ro", "/dev"));
        assertEquals(List.of("--remount-ro", "/"), words.subList(words.size() - 2, words.size()));
        assertFalse(words.contains("/etc/resolv.conf"));
    }

    @Test
    void everyTemporaryFileSystemHasASize() {
        List<String> words = options(plan(Egress.STRICT));
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).equals("--tmpfs")) {
                assertEquals("--size", words.get(at - 2), words.get(at + 1));
            }
        }
        assertTrue(has(words, "--size", "67108864", "--tmpfs", "/tmp"));
    }

    @Test
    void onlyTheWorkspaceAndTheFoldersAboveProtectedPathsAreBoundForWriting() throws IOException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        LaunchPlan plan = plan(Egress.STRICT);
        List<String> words = options(plan);
        assertFalse(words.contains("--bind"), "a path may lead elsewhere when it is mounted");
        assertEquals(
                List.of(workspace.toString(), workspace + "/.git"), bound(plan, "--bind-fd", 0));
        assertEquals(
                List.of(workspace.toString(), workspace + "/.git"), bound(plan, "--bind-fd", 1));
        assertEquals(List.of(workspace + "/.git/hooks"), bound(plan, "--ro-bind-fd", 0));
        assertEquals(List.of(workspace + "/.git/hooks"), bound(plan, "--ro-bind-fd", 1));
        assertEquals(
                plan.opened().stream().map(one -> "" + one.descriptor()).sorted().toList(),
                descriptors(words),
                "each is named once: one that bubblewrap does not use stays open in the command");
    }

    /** Returns what an option binds by descriptor: what is opened (0), where it is shown (1). */
    private static List<String> bound(LaunchPlan plan, String option, int which) {
        List<String> words = options(plan);
        List<String> found = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).equals(option)) {
                String number = words.get(at + 1);
                found.add(
                        which == 1
                                ? words.get(at + 2)
                                : plan.opened().stream()
                                        .filter(one -> number.equals("" + one.descriptor()))
                                        .map(Opened::path)
                                        .findFirst()
                                        .orElseThrow());
            }
        }
        return found;
    }

    private static List<String> descriptors(List<String> words) {
        List<String> found = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).endsWith("bind-fd")) {
                found.add(words.get(at + 1));
            }
        }
        found.sort(null);
        return found;
    }

    @Test
    void furtherFoldersAreOpenedWhereTheyLeadWhenTheyAreChecked() throws IOException {
        Path real = Files.createDirectory(root.resolve("data"));
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        backend =
                new TierCBackend(
                        launcher,
                        new TierCSettings(
                                bwrap.toString(),
                                socat.toString(),
                                List.of(link.toString(), root + "/absent")),
                        root.resolve("sys"));
        backend.probe();
        LaunchPlan plan = plan(Egress.STRICT);
        assertTrue(bound(plan, "--ro-bind-fd", 0).contains(real.toString()));
        assertTrue(bound(plan, "--ro-bind-fd", 1).contains(link.toString()));
        assertFalse(options(plan).contains(root + "/absent"));
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("/proc"));
        denied(ErrorCode.DENIED, "never shown", spec(Egress.STRICT, Optional.empty(), Set.of()));
    }

    @Test
    void strictSaysExactlyWhatIsInForce() {
        assertEquals(
                "strict tier=c bwrap=0.8.0 ns=user,mnt,pid,ipc,uts,net caps=none seccomp=sha256:"
                        + SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64).sha256()
                        + " rlimits=cpu,fsize,nofile,core network=offline nproc=inner protected=1"
                        + " repositories=0",
                plan(Egress.STRICT).enforcement());
    }

    @Test
    void otherModesShareTheNetworkButNotTheGatewaysPorts() {
        LaunchPlan plan = plan(Egress.NONE);
        List<String> words = options(plan);
        assertFalse(words.contains("--unshare-net"));
        assertTrue(words.contains("/etc/resolv.conf"));
        LaunchPlan.Landlock landlock = plan.landlock().orElseThrow();
        assertFalse(landlock.handleFiles(), "rules for files would keep bubblewrap from mounting");
        assertTrue(landlock.restrictTcp() && landlock.scoped());
        assertFalse(landlock.connectPorts().contains(7180));
        assertEquals(65_535, landlock.connectPorts().size());
        assertArrayEquals(
                SeccompFilter.of(Profile.NOUNIX, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(plan.enforcement().contains(" landlock=7 "));
        assertTrue(plan.enforcement().contains(" network=host,tcp-except:7180 "));
    }

    @Test
    void aProxyIsBridgedFromANetworkOfItsOwn() throws IOException {
        Path proxy = Files.createDirectory(root.resolve("proxy"));
        Files.createFile(proxy.resolve("e.sock"));
        LaunchPlan plan = plan(spec(Egress.STRICT, Optional.of(proxy.toString()), Set.of()));
        List<String> words = options(plan);
        assertTrue(words.contains("--unshare-net"));
        assertTrue(bound(plan, "--ro-bind-fd", 0).contains(proxy.toString()));
        assertTrue(bound(plan, "--ro-bind-fd", 1).contains("/run/sbx"));
        assertTrue(has(words, "--setenv", "https_proxy", "http://127.0.0.1:3128"));
        assertTrue(has(words, "--setenv", "NO_PROXY", ""));
        assertTrue(plan.argv().contains(socat.toString()));
        assertArrayEquals(
                SeccompFilter.of(Profile.DEFAULT, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(plan.enforcement().contains(" network=proxy "));
    }

    @Test
    void aProxyWithoutSocketOrWithoutBridgeIsRefused() throws IOException {
        Path proxy = Files.createDirectory(root.resolve("proxy"));
        Optional<String> named = Optional.of(proxy.toString());
        denied(ErrorCode.TOOL_UNAVAILABLE, "e.sock", spec(Egress.STRICT, named, Set.of()));
        Files.createFile(proxy.resolve("e.sock"));
        Files.writeString(socat, "another");
        denied(ErrorCode.TOOL_UNAVAILABLE, "socat at", spec(Egress.STRICT, named, Set.of()));
        backend = backend(bwrap, root.resolve("no-socat"));
        backend.probe();
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "apt install socat",
                spec(Egress.STRICT, named, Set.of()));
        assertTrue(backend.findings().get(0).message().contains("socat"));
    }

    @Test
    void socketsInTheWorkspaceAreRefusedWhereTheyCouldBeReached() throws IOException {
        Path proxy = Files.createDirectory(root.resolve("proxy"));
        Files.createFile(proxy.resolve("e.sock"));
        Path deep = Files.createDirectories(workspace.resolve("a/b"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(deep.resolve("s")));
            denied(
                    ErrorCode.DENIED,
                    "a/b/s",
                    spec(Egress.STRICT, Optional.of(proxy.toString()), Set.of()));
            backend.check(spec(Egress.STRICT, Optional.empty(), Set.of()));
            backend.check(spec(Egress.NONE, Optional.empty(), Set.of()));
        }
    }

    @Test
    void aSearchForSocketsHasABound() throws IOException {
        for (int at = 0; at < 20; at++) {
            Files.createFile(workspace.resolve("f" + at));
        }
        SocketScan.check(List.of(workspace.toString()), 30);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> SocketScan.check(List.of(workspace.toString()), 10));
        assertTrue(refused.getMessage().contains("More than 10 files"));
    }

    @Test
    void whatIsMissingIsRefusedUnlessPermittedAndThenSaid() {
        launcher.become(FakeLauncher.host(1000, 7, true, Set.of(), ""));
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "cgroup",
                spec(Egress.STRICT, Optional.empty(), Set.of()));
        backend.check(spec(Egress.STRICT, Optional.empty(), Set.of("cgroup")));
        launcher.become(FakeLauncher.host(1000, 3, true, ALL, ""));
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "Landlock 4",
                spec(Egress.NONE, Optional.empty(), Set.of()));
        backend.check(spec(Egress.STRICT, Optional.empty(), Set.of()));
        String said = plan(spec(Egress.NONE, Optional.empty(), Set.of("landlock"))).enforcement();
        assertTrue(said.contains(" landlock=missing(permitted) "), said);
        assertTrue(said.contains(" network=host "), said);
        launcher.become(FakeLauncher.host(1000, 7, false, ALL, ""));
        backend.probe();
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "seccomp",
                spec(Egress.STRICT, Optional.empty(), Set.of()));
        LaunchPlan open = plan(spec(Egress.STRICT, Optional.empty(), Set.of("seccomp")));
        assertTrue(open.enforcement().contains(" seccomp=missing(permitted) "));
        assertFalse(options(open).contains("--seccomp"));
    }

    @Test
    void rootIsRefused() {
        launcher.become(FakeLauncher.host(0, 7, true, ALL, ""));
        denied(ErrorCode.DENIED, "root", spec(Egress.STRICT, Optional.empty(), Set.of()));
        assertEquals(State.REFUSING, backend.probe().state());
    }

    @Test
    void aReplacedBubblewrapIsRefusedByName() throws IOException {
        SandboxSpec order = spec(Egress.STRICT, Optional.empty(), Set.of());
        Files.setLastModifiedTime(bwrap, java.nio.file.attribute.FileTime.fromMillis(1));
        backend.check(order);
        Files.writeString(bwrap, "other words!");
        denied(ErrorCode.TOOL_UNAVAILABLE, "bubblewrap at " + bwrap + " was replaced", order);
        Files.delete(bwrap);
        denied(ErrorCode.TOOL_UNAVAILABLE, "was replaced", order);
        program("bwrap", "other words!");
        backend.probe();
        backend.check(order);
    }

    @Test
    void theFingerprintFollowsBubblewrapAndKernel() throws IOException {
        String first = backend.probe().fingerprint();
        assertEquals(first, backend.probe().fingerprint());
        Files.writeString(bwrap, "another");
        String second = backend.probe().fingerprint();
        assertFalse(first.equals(second));
        launcher.become(FakeLauncher.host(1000, 6, true, ALL, ""));
        assertFalse(second.equals(backend.probe().fingerprint()));
    }

    @Test
    void wordsWithANulNeverReachTheOptions() {
        denied(
                ErrorCode.INVALID_ARGUMENT,
                "NUL",
                spec(
                        Egress.STRICT,
                        Optional.empty(),
                        Set.of(),
                        List.of(),
                        Map.of("A", "b\0--bind\0/\0/")));
        assertThrows(PalyraException.class, () -> new Arguments().add("a\0b"));
    }

    @Test
    void aWorkspaceThatIsExchangedDuringTheStartIsNoticed() {
        launcher.answer(
                plan -> {
                    exchange();
                    return new End(true, 0, "", "");
                });
        SandboxSpec order = spec(Egress.STRICT, Optional.empty(), Set.of());
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(order));
        assertEquals(ErrorCode.DENIED, refused.code());
    }

    private void exchange() {
        try {
            Files.move(workspace, root.resolve("moved"));
            Files.createDirectory(workspace);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withoutALauncherEverythingIsRefusedUntilOneComesBack() throws InterruptedException {
        backend.removeLauncher(launcher);
        denied(
                ErrorCode.TOOL_UNAVAILABLE,
                "launcher of processes",
                spec(Egress.STRICT, Optional.empty(), Set.of()));
        until(State.REFUSING);
        backend.addLauncher(launcher, Map.of());
        until(State.READY);
        backend.check(spec(Egress.STRICT, Optional.empty(), Set.of()));
        backend.close();
        backend.close();
    }

    private void until(State state) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (backend.status().state() != state && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        assertEquals(state, backend.status().state());
    }
}
