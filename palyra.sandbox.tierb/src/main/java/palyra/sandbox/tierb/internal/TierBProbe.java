package palyra.sandbox.tierb.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.SelfTestRun;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;
import palyra.shared.seccomp.Filters;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/**
 * Probes whether Tier B works here: runs a real command, which must write inside its workspace and,
 * where Landlock is there, must fail to write outside. It does so under supervision of metadata
 * first, where it must change a mode inside and must fail to outside; without, where that does not
 * work.
 */
final class TierBProbe {
    private static final long MILLIS = 10_000;
    private static final String SCRIPT =
            "echo > \"$1\" && printf inside; { echo > \"$2\"; } 2>/dev/null && printf outside; :; ";
    private static final String SUPERVISED_SCRIPT =
            "chmod 640 \"$1\" && printf ,changed; chmod 640 \"$3\" 2>/dev/null && printf ,opened; :";

    /** Value of the fact {@code metadata} where it is supervised. */
    static final String BENEATH = "beneath";

    /** Value of the fact {@code metadata} where it is not supervised. */
    static final String OPEN = "open";

    /** Fact that says why metadata is open; not a part of the fingerprint. */
    static final String REASON = "metadata.reason";

    private static final String METADATA = "metadata";

    private final ProcessLauncher launcher;
    private final TierBSettings settings;

    TierBProbe(ProcessLauncher launcher, TierBSettings settings) {
        this.launcher = launcher;
        this.settings = settings;
    }

    BackendStatus look() {
        HostFacts host = launcher.refresh();
        Map<String, String> facts = facts(host);
        if (host.effectiveUid() == 0) {
            return BackendStatus.refusing(
                    "The gateway runs as root, and no sandbox confines a process of root.",
                    "Start the gateway as a user of its own.",
                    facts);
        }
        if (!host.problem().isEmpty()) {
            return BackendStatus.refusing(
                    host.problem(), "Correct that, then have the sandboxes look again.", facts);
        }
        Optional<String> unsupervised = unsupervised(host);
        facts.put(METADATA, unsupervised.isEmpty() ? BENEATH : OPEN);
        String fingerprint = fingerprint(facts);
        unsupervised.ifPresent(reason -> facts.put(REASON, reason));
        Optional<String> trouble = unsupervised.isEmpty() ? unsupervised : tryOut(host, false);
        return trouble.isPresent()
                ? BackendStatus.refusing(
                        trouble.get(), "Correct that, then have the sandboxes look again.", facts)
                : BackendStatus.ready(facts, fingerprint);
    }

    /** Returns whether a probe has found that supervision of metadata works. */
    static boolean supervises(BackendStatus status) {
        return BENEATH.equals(status.facts().get(METADATA));
    }

    /** Returns why metadata cannot be supervised; empty when it can. */
    private Optional<String> unsupervised(HostFacts host) {
        return KernelNeeds.supervision(host)
                ? tryOut(host, true)
                : Optional.of("Supervision needs Landlock and seccomp filters.");
    }

    private static Map<String, String> facts(HostFacts host) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("kernel", host.kernel());
        facts.put("arch", host.arch());
        facts.put("landlock", host.landlockAbi() == 0 ? "none" : "" + host.landlockAbi());
        facts.put("seccomp", KernelNeeds.seccomp(host) ? "yes" : "none");
        facts.put("spawn", host.spawn());
        facts.put(
                "cgroup",
                host.cgroup().isEmpty()
                        ? "none"
                        : host.cgroup()
                                + "("
                                + String.join(
                                        ",", host.cgroupControllers().stream().sorted().toList())
                                + ")");
        if (KernelNeeds.seccomp(host)) {
            KernelNeeds.architecture(host)
                    .ifPresent(
                            architecture -> {
                                for (Profile profile : List.of(Profile.OFFLINE, Profile.NOUNIX)) {
                                    facts.put(
                                            "filter."
                                                    + profile.name()
                                                            .toLowerCase(java.util.Locale.ROOT),
                                            SeccompFilter.of(profile, architecture).sha256());
                                }
                            });
        }
        return facts;
    }

    private static String fingerprint(Map<String, String> facts) {
        Digests digest = Digests.tagged("palyra/tierb/1");
        new TreeMap<>(facts).forEach((name, value) -> digest.lp(name).lp(value));
        return Digests.hex(digest.bytes());
    }

    private Optional<String> tryOut(HostFacts host, boolean supervised) {
        Path root = null;
        try {
            root = Files.createTempDirectory("palyra-tierb-").toRealPath();
            Files.createFile(root.resolve("kept"));
            Files.createDirectory(root.resolve("workspace"));
            return tryOut(host, root, supervised);
        } catch (IOException e) {
            return Optional.of(
                    "No temporary folder can be made: "
                            + MediumFailure.sentence(
                                    e, Path.of(System.getProperty("java.io.tmpdir")))
                            + ".");
        } finally {
            remove(root);
        }
    }

    private Optional<String> tryOut(HostFacts host, Path root, boolean supervised) {
        Path workspace = root.resolve("workspace");
        Path inside = workspace.resolve("inside");
        Path outside = root.resolve("outside");
        String script = supervised ? SUPERVISED_SCRIPT : "";
        SandboxSpec spec =
                new SandboxSpec(
                        "probe-" + Long.toUnsignedString(System.nanoTime(), 36),
                        List.of(
                                "/bin/sh",
                                "-c",
                                SCRIPT + script,
                                "sh",
                                inside + "",
                                outside + "",
                                root.resolve("kept") + ""),
                        Map.of(),
                        workspace.toString(),
                        workspace.toString(),
                        List.of(),
                        List.of(),
                        Egress.STRICT,
                        Optional.empty(),
                        Set.of(),
                        SandboxLimits.DEFAULT,
                        Set.of("landlock", "seccomp", "cgroup"),
                        false);
        SelfTestRun trial =
                SelfTestRun.run(
                        launcher,
                        new TierBPlan(host, settings, new AllowedPorts(), new Filters(), supervised)
                                .of(spec, workspace.toString()),
                        MILLIS);
        if (!trial.started() || trial.exitCode() != 0 || !trial.output().startsWith("inside")) {
            return Optional.of(
                    "A trial command did not work in Tier B (exit code "
                            + trial.exitCode()
                            + "): "
                            + trial.problem());
        }
        if (supervised && !trial.output().contains(",changed")) {
            return Optional.of(
                    "A supervised trial command could not change a mode in its workspace: "
                            + trial.problem());
        }
        if (supervised && trial.output().contains(",opened")) {
            return Optional.of(
                    "A supervised trial command changed a mode outside of its workspace.");
        }
        boolean escaped = trial.output().contains("outside") || Files.exists(outside);
        return host.landlockAbi() > 0 && escaped
                ? Optional.of("A trial command wrote outside of its workspace despite Landlock.")
                : Optional.empty();
    }

    private static void remove(Path root) {
        if (root == null) {
            return;
        }
        try {
            for (String name : List.of("workspace/inside", "workspace", "outside", "kept", "")) {
                Files.deleteIfExists(root.resolve(name));
            }
        } catch (IOException e) {
            // left to the system's cleaner of temporary files
        }
    }
}
