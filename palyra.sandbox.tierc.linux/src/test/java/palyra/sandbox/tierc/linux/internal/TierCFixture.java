package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.FakeLauncher;
import palyra.testing.sandbox.FakeLauncher.End;

/** A backend over a launcher that only takes notes. */
abstract class TierCFixture {
    static final Set<String> ALL = Set.of("memory", "pids", "cpu");

    @TempDir Path folder;

    Path root;

    Path workspace;

    Path bwrap;

    Path socat;

    FakeLauncher launcher;

    TierCBackend backend;

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

    TierCBackend backend(Path bwrapPath, Path socatPath) {
        return new TierCBackend(
                launcher,
                new TierCSettings(bwrapPath.toString(), socatPath.toString(), List.of("/opt/t")),
                root.resolve("sys"));
    }

    Path program(String name, String content) throws IOException {
        Path program = Files.writeString(root.resolve(name), content);
        Files.setPosixFilePermissions(
                program, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    static End answer(LaunchPlan plan) {
        return plan.argv().contains("--version")
                ? new End(true, 0, "bubblewrap 0.8.0\n", "")
                : new End(true, 0, "inside", "");
    }

    SandboxSpec spec(Egress egress, Optional<String> proxy, Set<String> permitMissing) {
        return spec(egress, proxy, permitMissing, List.of(".git/hooks"), Map.of("A", "b"));
    }

    SandboxSpec spec(
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

    LaunchPlan plan(SandboxSpec spec) {
        try (SandboxProcess process = backend.start(spec)) {
            assertEquals(1, process.pid());
        }
        return launcher.last();
    }

    LaunchPlan plan(Egress egress) {
        return plan(spec(egress, Optional.empty(), Set.of()));
    }

    static List<String> options(LaunchPlan plan) {
        String text = new String(passed(plan, 5), StandardCharsets.UTF_8);
        List<String> words = new ArrayList<>(List.of(text.split("\0", -1)));
        words.remove(words.size() - 1);
        return words;
    }

    static byte[] passed(LaunchPlan plan, int descriptor) {
        return plan.passed().stream()
                .filter(one -> one.descriptor() == descriptor)
                .map(Passed::content)
                .findFirst()
                .orElseThrow();
    }

    static boolean has(List<String> words, String... sequence) {
        return java.util.Collections.indexOfSubList(words, List.of(sequence)) >= 0;
    }

    void denied(ErrorCode code, String part, SandboxSpec spec) {
        int before = launcher.plans().size();
        PalyraException refused = assertThrows(PalyraException.class, () -> backend.start(spec));
        assertEquals(code, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
        assertEquals(before, launcher.plans().size(), "something was launched");
    }
}
