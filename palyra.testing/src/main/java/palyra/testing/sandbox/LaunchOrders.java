package palyra.testing.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.FakeLauncher.End;
import palyra.testing.wait.Await;

/**
 * Orders to a backend on a {@link FakeLauncher}, and what becomes of them: what it plans, and what
 * it refuses without anything being launched.
 */
public final class LaunchOrders {
    /** A port of the gateway, which no order may reach. */
    public static final int GATEWAY_PORT = 7180;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeLauncher launcher;
    private final Path workspace;

    /** Orders that start in a workspace, which must be named by its real path. */
    public LaunchOrders(FakeLauncher launcher, Path workspace) {
        this.launcher = launcher;
        this.workspace = workspace;
    }

    /** Returns an order to run a program with one argument and one variable. */
    public SandboxSpec spec(Egress egress, Optional<String> proxy, Set<String> permitMissing) {
        return spec(egress, proxy, permitMissing, List.of(".git/hooks"), Map.of("A", "b"));
    }

    /** Returns an order with paths and variables of its own. */
    public SandboxSpec spec(
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
                Set.of(GATEWAY_PORT),
                SandboxLimits.DEFAULT,
                permitMissing,
                false);
    }

    /** Has an order carried out and returns what was launched for it last. */
    public LaunchPlan plan(SandboxBackend backend, SandboxSpec spec) {
        try (SandboxProcess process = backend.start(spec)) {
            assertFalse(process.enforcement().isEmpty());
        }
        return launcher.last();
    }

    /** Fails unless an order is refused, in words that hold a part, and nothing is launched. */
    public void denied(SandboxBackend backend, ErrorCode code, String part, SandboxSpec spec) {
        int before = launcher.plans().size();
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(spec));
        assertEquals(code, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
        assertEquals(before, launcher.plans().size(), "something was launched");
    }

    /** Fails unless a backend notices that the workspace is exchanged while a command starts. */
    public void exchangedDuringTheStart(SandboxBackend backend) {
        launcher.answer(
                plan -> {
                    exchange();
                    return new End(true, 0, "", "");
                });
        SandboxSpec order = spec(Egress.STRICT, Optional.empty(), Set.of());
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(order));
        assertEquals(ErrorCode.DENIED, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains("exchanged"), refused.getMessage());
    }

    private void exchange() {
        try {
            Files.move(workspace, workspace.resolveSibling("moved-" + System.nanoTime()));
            Files.createDirectory(workspace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fails unless a backend refuses while it has no launcher, and is ready again with one.
     *
     * @param remove takes the launcher away
     * @param add gives it back
     */
    public void withoutALauncher(SandboxBackend backend, Runnable remove, Runnable add) {
        SandboxSpec order = spec(Egress.STRICT, Optional.empty(), Set.of());
        remove.run();
        denied(backend, ErrorCode.TOOL_UNAVAILABLE, "", order);
        Await.until("a refusal", PATIENCE, () -> backend.status().state() == State.REFUSING);
        denied(backend, ErrorCode.TOOL_UNAVAILABLE, "launcher of processes", order);
        add.run();
        Await.until("readiness", PATIENCE, () -> backend.status().state() == State.READY);
        backend.check(order);
    }
}
