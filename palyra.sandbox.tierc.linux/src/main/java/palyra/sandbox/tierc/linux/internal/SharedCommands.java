package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.ResourceLimitPlan;
import palyra.shared.seccomp.Profile;

/**
 * Sandboxes that commands share. The first process makes namespaces for users, processes, the
 * network, IPC and the host's name, and waits; it sees the files of the host and runs nothing of a
 * command. Each command enters these namespaces by nsenter(1) and gets there what it gets in a
 * sandbox of its own: by bubblewrap, one more user namespace without privileges and without further
 * ones below, mounts of its own, limits, and a filter.
 */
final class SharedCommands {
    private static final int OPTIONS = 5;
    private static final int STATUS = 4;
    private static final int HELPERS = 64; // bubblewrap and the entering program, of many commands

    /**
     * The first process inside: no signal from inside ends it, and it takes up the processes that
     * lost their parent. A command may end its helper, which it then starts again.
     */
    private static final String WAIT = "while :; do sleep 2147483647 & wait $!; done";

    /** Name of that process. */
    static final String WAITING = "sh";

    private SharedCommands() {}

    /**
     * Returns the namespaces that a command is to enter; empty when it has its own.
     *
     * @throws PalyraException DENIED when they are not of this backend
     */
    static Optional<SharedNamespaces> namespaces(SandboxSpec spec) {
        return spec.shared()
                .map(
                        shared -> {
                            if (shared.holder().orElse(null) instanceof SharedNamespaces found) {
                                return found;
                            }
                            throw Refusals.denied(
                                    "The shared sandbox "
                                            + shared.id()
                                            + " was not made by this backend: make it again.");
                        });
    }

    /**
     * Returns the filter of a command: without Unix sockets where those of the host are in reach,
     * also since the shared sandbox was made.
     */
    static Profile profile(SandboxSpec spec, Optional<SharedNamespaces> shared) {
        Network network = Network.of(spec);
        return network == Network.LOOPBACK
                        && !(shared.orElseThrow().unixSockets() && hasNoSockets(spec, own(shared)))
                ? Profile.NOUNIX
                : network.profile();
    }

    /** Returns what tells the sockets that commands of a shared sandbox have bound. */
    static Predicate<Path> own(Optional<SharedNamespaces> shared) {
        return shared.map(OwnSockets::new)
                .<Predicate<Path>>map(own -> own::has)
                .orElse(any -> false);
    }

    /** Returns the words by which a command enters. */
    static List<String> entering(HelperPrograms helpers, SharedNamespaces shared) {
        List<String> words = new ArrayList<>();
        words.add(helpers.nsenter().orElseThrow().path().toString());
        words.addAll(List.of("--target", Long.toString(shared.inside())));
        words.addAll(List.of("--user", "--preserve-credentials", "--mount", "--net"));
        words.addAll(List.of("--ipc", "--uts", "--pid", "--"));
        return words;
    }

    /** Makes the namespaces; the result holds them until it is closed. */
    static SharedNamespaces make(
            ProcessLauncher launcher, HelperPrograms helpers, HostFacts host, SandboxSpec spec) {
        boolean unixSockets = hasNoSockets(spec, any -> false);
        ResourceLimitPlan bounds =
                ResourceLimitPlan.of(
                        spec.limits(), host, spec.permitMissing().contains("cgroup"), HELPERS);
        BwrapArguments arguments = new BwrapArguments();
        arguments.add("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts");
        arguments.add("--unshare-net", "--cap-drop", "ALL", "--die-with-parent", "--new-session");
        arguments.add("--uid", FileSystemView.USER_ID, "--gid", FileSystemView.USER_ID);
        arguments.add(
                "--as-pid-1", "--hostname", "sandbox", "--dev-bind", "/", "/", "--proc", "/proc");
        arguments.add("--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--chdir", "/");
        arguments.add("--json-status-fd", Integer.toString(STATUS));
        LaunchPlan plan =
                new LaunchPlan(
                        spec.callId(),
                        List.of(
                                helpers.bwrap().path().toString(),
                                "--args",
                                Integer.toString(OPTIONS),
                                "--",
                                "/bin/" + WAITING,
                                "-c",
                                WAIT),
                        Map.of(),
                        "/",
                        bounds.rlimits(),
                        bounds.group(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(new Passed(OPTIONS, arguments.bytes())),
                        STATUS,
                        false,
                        "strict tier=c bwrap="
                                + helpers.version()
                                + " ns=user,mnt,pid,ipc,uts,net caps=none "
                                + bounds.words()
                                + " network=loopback"
                                + (unixSockets ? ",unix" : ""));
        return SharedNamespaces.of(launcher.launch(plan), unixSockets);
    }

    /**
     * Returns whether no Unix socket of the host is in the workspace; one that could not be found
     * counts as there. A command cannot connect to one without a socket of that kind.
     */
    private static boolean hasNoSockets(SandboxSpec spec, Predicate<Path> own) {
        try {
            SocketScan.check(List.of(spec.workspace()), own);
            return true;
        } catch (PalyraException e) {
            return false;
        }
    }
}
