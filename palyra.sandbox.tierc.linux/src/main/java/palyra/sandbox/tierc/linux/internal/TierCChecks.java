package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.SpecChecks;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/** Checks whether this host can confine a command. Starts nothing, and is cheap. */
final class TierCChecks {
    private final List<String> readOnlyPaths;

    TierCChecks(List<String> readOnlyPaths) {
        this.readOnlyPaths = List.copyOf(readOnlyPaths);
    }

    void check(SandboxSpec spec, HelperPrograms helpers, HostFacts host, BackendStatus status) {
        Network network = Network.of(spec);
        unchanged(helpers.bwrap(), "bubblewrap");
        if (spec.shared().isPresent()) {
            shared(helpers);
        }
        filter(spec, helpers, network, status);
        Refusals.unlessPermitted(
                host.cgroupControllers().contains("memory"),
                spec.permitMissing().contains("cgroup"),
                "Tier C needs a cgroup that counts the memory of a command; the gateway can write"
                        + " none.",
                Remedies.NO_CGROUP);
        if (network == Network.HOST && !spec.forbiddenPorts().isEmpty()) {
            Refusals.unlessPermitted(
                    host.landlockAbi() >= Network.PORTS_ABI,
                    spec.permitMissing().contains("landlock"),
                    "With egress "
                            + spec.egress()
                            + ", Landlock 4 must keep commands from the gateway's own ports; this"
                            + " kernel has "
                            + (host.landlockAbi() == 0 ? "none" : "version " + host.landlockAbi())
                            + ".",
                    Remedies.NO_PORTS);
        }
        SpecChecks.check(spec, readOnlyPaths);
        Protection.check(spec.workspace(), spec.protectedPaths());
        if (network == Network.PROXY) {
            proxy(spec, helpers);
        }
    }

    private static void unchanged(HelperProgram program, String name) {
        if (!program.unchanged()) {
            throw Refusals.unavailable(
                    name + " at " + program.path() + " was replaced since it was examined.",
                    "If that was an upgrade, have the sandboxes look again.");
        }
    }

    /** Refuses without a filter, and with a filter other than the probed one. */
    private static void filter(
            SandboxSpec spec, HelperPrograms helpers, Network network, BackendStatus status) {
        Refusals.unlessPermitted(
                helpers.architecture().isPresent(),
                spec.permitMissing().contains("seccomp"),
                "Tier C needs seccomp filters; this kernel has none, or there is no filter for its"
                        + " processor.",
                Remedies.NO_FILTER);
        String name = "filter." + network.profile().name().toLowerCase(java.util.Locale.ROOT);
        String now = helpers.filter(network.profile()).map(SeccompFilter::sha256).orElse("");
        if (!now.equals(status.facts().getOrDefault(name, ""))) {
            throw Refusals.unavailable(
                    "The filter of system calls is not the one that was examined.",
                    Remedies.LOOK_AGAIN);
        }
    }

    private static void shared(HelperPrograms helpers) {
        unchanged(
                helpers.nsenter()
                        .orElseThrow(
                                () ->
                                        Refusals.unavailable(
                                                "A shared sandbox needs nsenter, which was not"
                                                        + " found.",
                                                "Install util-linux.")),
                "nsenter");
    }

    private void proxy(SandboxSpec spec, HelperPrograms helpers) {
        HelperProgram socat =
                helpers.socat()
                        .orElseThrow(
                                () ->
                                        Refusals.unavailable(
                                                "Strict egress with an allow-list needs socat,"
                                                        + " which was not found.",
                                                Remedies.INSTALL_SOCAT));
        unchanged(socat, "socat");
        String folder = spec.proxyFolder().orElseThrow();
        try {
            Path path = Path.of(folder);
            if (!path.toRealPath().toString().equals(folder)
                    || !Files.exists(path.resolve("e.sock"))) {
                throw Refusals.unavailable(
                        "The egress proxy's folder " + folder + " has no e.sock.", "Try again.");
            }
        } catch (IOException | InvalidPathException e) {
            throw Refusals.unavailable(
                    "The egress proxy's folder " + folder + " cannot be read.", "Try again.");
        }
    }

    /**
     * Refuses folders with sockets that a command could connect to. May take a second.
     *
     * @return the filter of the command
     */
    Profile search(SandboxSpec spec) {
        Optional<SharedNamespaces> shared = SharedCommands.namespaces(spec);
        Profile profile = SharedCommands.profile(spec, shared);
        if (profile == Profile.DEFAULT) {
            List<String> folders = new ArrayList<>();
            if (Network.of(spec) != Network.LOOPBACK) {
                folders.add(spec.workspace()); // else it was searched for the filter
            }
            folders.addAll(existing(spec.readOnlyPaths()));
            folders.addAll(existing(readOnlyPaths));
            SocketScan.check(folders, SharedCommands.own(shared));
        }
        return profile;
    }

    private static List<String> existing(List<String> paths) {
        return paths.stream().filter(path -> Files.exists(Path.of(path))).toList();
    }
}
