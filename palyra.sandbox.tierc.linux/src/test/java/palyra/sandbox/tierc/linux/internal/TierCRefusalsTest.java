package palyra.sandbox.tierc.linux.internal;

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
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.FakeLauncher;

/** What Tier C refuses, and when it looks again. */
class TierCRefusalsTest extends TierCFixture {
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

    /** As a server leaves it that ended: nothing can be reached by it. */
    @Test
    void aSocketThatNoProcessHearsIsNoReasonToRefuse() throws IOException {
        Path proxy = Files.createDirectory(root.resolve("proxy"));
        Files.createFile(proxy.resolve("e.sock"));
        Path left = workspace.resolve("left.sock");
        SandboxSpec spec = spec(Egress.STRICT, Optional.of(proxy.toString()), Set.of());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(left));
            denied(ErrorCode.DENIED, "left.sock", spec);
        }
        assertTrue(Files.exists(left));
        backend.check(spec);
    }

    @Test
    void aSearchForSocketsHasABound() throws IOException {
        for (int at = 0; at < 20; at++) {
            Files.createFile(workspace.resolve("f" + at));
        }
        SocketScan.check(List.of(workspace.toString()), 30, any -> false);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> SocketScan.check(List.of(workspace.toString()), 10, any -> false));
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
                orders.spec(
                        Egress.STRICT,
                        Optional.empty(),
                        Set.of(),
                        List.of(),
                        Map.of("A", "b\0--bind\0/\0/")));
        assertThrows(PalyraException.class, () -> new BwrapArguments().add("a\0b"));
    }

    @Test
    void aWorkspaceThatIsExchangedDuringTheStartIsNoticed() {
        orders.exchangedDuringTheStart(backend);
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
}
