package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.sandbox.FakeLauncher;
import palyra.testing.sandbox.FakeLauncher.End;
import palyra.testing.sandbox.LaunchOrders;

/** A backend over a launcher that only takes notes. */
abstract class TierCFixture {
    static final Set<String> ALL = Set.of("memory", "pids", "cpu");

    @TempDir Path folder;

    Path root;

    Path workspace;

    Path bwrap;

    Path socat;

    FakeLauncher launcher;

    LaunchOrders orders;

    TierCBackend backend;

    @BeforeEach
    void prepare() throws IOException {
        root = folder.toRealPath();
        workspace = Files.createDirectory(root.resolve("workspace"));
        bwrap = program("bwrap", "not really");
        socat = program("socat", "not really");
        launcher = new FakeLauncher(FakeLauncher.capable(), TierCBackendTest::answer);
        orders = new LaunchOrders(launcher, workspace);
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
        return orders.spec(egress, proxy, permitMissing);
    }

    LaunchPlan plan(SandboxSpec spec) {
        return orders.plan(backend, spec);
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
        orders.denied(backend, code, part, spec);
    }
}
