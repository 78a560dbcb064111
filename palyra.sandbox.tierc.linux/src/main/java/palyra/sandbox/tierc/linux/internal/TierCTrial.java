package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.SelfTestRun;
import palyra.shared.files.MediumFailure;

/**
 * Runs a real command in a sandbox of its own: it must be able to write in its workspace, and must
 * not be able to read or change a file beside it.
 */
final class TierCTrial {
    private static final long MILLIS = 10_000;
    private static final String SECRET = "outside";
    private static final String SCRIPT =
            "echo > \"$1\" && printf inside; { read -r line < \"$2\" && printf %s \"$line\";"
                    + " echo changed > \"$2\"; } 2>/dev/null; :";

    private final ProcessLauncher launcher;
    private final HelperPrograms helpers;
    private final HostFacts host;
    private final TierCSettings settings;

    TierCTrial(
            ProcessLauncher launcher,
            HelperPrograms helpers,
            HostFacts host,
            TierCSettings settings) {
        this.launcher = launcher;
        this.helpers = helpers;
        this.host = host;
        this.settings = settings;
    }

    /** Returns the problem; empty when the sandbox works. */
    Optional<String> run() {
        Path root = null;
        try {
            root = Files.createTempDirectory("palyra-tierc-").toRealPath();
            Path workspace = Files.createDirectory(root.resolve("workspace"));
            Path outside = Files.writeString(root.resolve("outside"), SECRET + "\n");
            SelfTestRun trial = tryOut(workspace, outside);
            return judge(trial, Files.readString(outside).strip());
        } catch (IOException e) {
            return Optional.of(
                    "No temporary folder can be used: "
                            + MediumFailure.sentence(
                                    e, Path.of(System.getProperty("java.io.tmpdir")))
                            + ".");
        } finally {
            remove(root);
        }
    }

    private SelfTestRun tryOut(Path workspace, Path outside) {
        SandboxSpec spec =
                new SandboxSpec(
                        "probe-" + Long.toUnsignedString(System.nanoTime(), 36),
                        List.of(
                                "/bin/sh",
                                "-c",
                                SCRIPT,
                                "sh",
                                workspace.resolve("inside").toString(),
                                outside.toString()),
                        Map.of(),
                        workspace.toString(),
                        workspace.toString(),
                        List.of(),
                        List.of(),
                        Egress.STRICT,
                        Optional.empty(),
                        Set.of(),
                        SandboxLimits.DEFAULT,
                        Set.of("seccomp", "cgroup"),
                        false);
        Protection none = Protection.of(workspace.toString(), List.of());
        BwrapPlan plan = new BwrapPlan(helpers, host, settings.readOnlyPaths(), new AllowedPorts());
        return SelfTestRun.run(launcher, plan.of(spec, none, Network.of(spec).profile()), MILLIS);
    }

    private Optional<String> judge(SelfTestRun trial, String left) {
        if (!trial.started() || trial.exitCode() != 0 || !trial.output().startsWith("inside")) {
            return Optional.of(
                    "bubblewrap "
                            + helpers.version()
                            + " at "
                            + helpers.bwrap().path()
                            + " cannot make a sandbox (exit code "
                            + trial.exitCode()
                            + "): "
                            + trial.problem());
        }
        return trial.output().contains(SECRET) || !SECRET.equals(left)
                ? Optional.of(
                        "A command in a sandbox of bubblewrap at "
                                + helpers.bwrap().path()
                                + " reached a file outside.")
                : Optional.empty();
    }

    private static void remove(Path root) {
        if (root == null) {
            return;
        }
        try {
            for (String name : List.of("workspace/inside", "workspace", "outside", "")) {
                Files.deleteIfExists(root.resolve(name));
            }
        } catch (IOException e) {
            // left to the system's cleaner of temporary files
        }
    }
}
