package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.ResourceLimitPlan;
import palyra.shared.confine.SpecChecks;
import palyra.shared.confine.SystemPaths;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/**
 * Translates a sandbox spec into a launch of bubblewrap; see bwrap(1).
 *
 * <p>bubblewrap starts with an empty environment and finds its options at a descriptor: inside,
 * both could be read in {@code /proc/1}. All namespaces are its own but the network's, where the
 * mode is not strict; no capability is left, no further user namespace can be made, and the session
 * is new, so that a signal to the process group stays inside.
 */
final class BwrapPlan {

    private static final int FILTER = 3;
    private static final int STATUS = 4;
    private static final int OPTIONS = 5;
    private static final int HELPERS = 8; // bubblewrap itself, twice, and the bridge
    private static final int BRIDGE_PROCESSES = 32;
    private static final String BRIDGE_FOLDER = "/run/sbx";

    private final HelperPrograms helpers;
    private final HostFacts host;
    private final List<String> readOnlyPaths;
    private final AllowedPorts ports;

    BwrapPlan(
            HelperPrograms helpers,
            HostFacts host,
            List<String> readOnlyPaths,
            AllowedPorts ports) {
        this.helpers = helpers;
        this.host = host;
        this.readOnlyPaths = List.copyOf(readOnlyPaths);
        this.ports = ports;
    }

    /**
     * Returns the launch of a command.
     *
     * @param profile of its filter
     */
    LaunchPlan of(SandboxSpec spec, Protection protection, Profile profile) {
        Optional<SharedNamespaces> shared = SharedCommands.namespaces(spec);
        Network network = Network.of(spec);
        ResourceLimitPlan bounds = bounds(spec);
        Optional<SeccompFilter> filter = helpers.filter(profile);
        int port = shared.map(SharedNamespaces::nextPort).orElse(InnerScripts.PORT);
        Optional<Landlock> landlock = network.landlock(spec, host, ports);
        List<Passed> passed = new ArrayList<>(FileSystemView.files(spec));
        filter.ifPresent(one -> passed.add(new Passed(FILTER, one.bytes())));
        BwrapArguments arguments = new BwrapArguments();
        Mounts mounts = new Mounts(arguments);
        options(arguments, mounts, spec, network, protection, filter, port);
        passed.add(new Passed(OPTIONS, arguments.bytes()));
        return new LaunchPlan(
                spec.callId(),
                command(spec, network, shared, port),
                Map.of(),
                "/",
                bounds.rlimits(),
                bounds.group(),
                landlock,
                Optional.empty(),
                passed,
                mounts.opened(),
                STATUS,
                spec.stdinPiped(),
                shared.map(SharedNamespaces::process),
                enforcement(spec, network, protection, bounds, landlock, filter));
    }

    private ResourceLimitPlan bounds(SandboxSpec spec) {
        return ResourceLimitPlan.of(
                spec.limits(), host, spec.permitMissing().contains("cgroup"), HELPERS);
    }

    private List<String> command(
            SandboxSpec spec, Network network, Optional<SharedNamespaces> shared, int port) {
        List<String> words = new ArrayList<>();
        shared.ifPresent(one -> words.addAll(SharedCommands.entering(helpers, one)));
        words.add(helpers.bwrap().path().toString());
        words.addAll(List.of("--args", "" + OPTIONS, "--"));
        Optional<InnerScripts.Bridge> bridge =
                network == Network.PROXY
                        ? Optional.of(
                                new InnerScripts.Bridge(
                                        helpers.socat().orElseThrow().path().toString(), port))
                        : Optional.empty();
        words.addAll(
                InnerScripts.of(
                        spec.limits().processes() + (bridge.isPresent() ? BRIDGE_PROCESSES : 0),
                        shared.map(SharedNamespaces::network),
                        bridge,
                        spec.argv()));
        return words;
    }

    private void options(
            BwrapArguments arguments,
            Mounts mounts,
            SandboxSpec spec,
            Network network,
            Protection protection,
            Optional<SeccompFilter> filter,
            int port) {
        arguments.add("--unshare-user", "--unshare-cgroup-try");
        if (spec.shared().isEmpty()) {
            arguments.add("--unshare-ipc", "--unshare-pid", "--unshare-uts");
            arguments.add("--hostname", "sandbox");
        }
        if (network != Network.HOST && spec.shared().isEmpty()) {
            arguments.add("--unshare-net");
        }
        arguments.add("--disable-userns", "--cap-drop", "ALL");
        arguments.add("--uid", FileSystemView.USER_ID, "--gid", FileSystemView.USER_ID);
        arguments.add("--die-with-parent", "--new-session");
        FileSystemView.addTo(arguments, mounts, spec, network == Network.HOST);
        spec.proxyFolder().ifPresent(folder -> mounts.readOnly(folder, BRIDGE_FOLDER));
        folders(mounts, spec, protection);
        environment(arguments, spec, network, port);
        arguments.add("--chdir", spec.workingFolder());
        if (filter.isPresent()) {
            arguments.add("--seccomp", "" + FILTER);
        }
        arguments.add("--json-status-fd", "" + STATUS);
        arguments.add("--remount-ro", "/");
    }

    /** Further folders, those around the workspace first: later mounts cover earlier ones. */
    private void folders(Mounts mounts, SandboxSpec spec, Protection protection) {
        List<String> shown = new ArrayList<>(readOnlyPaths);
        shown.addAll(spec.readOnlyPaths());
        shown.removeIf(path -> SystemPaths.within(path, SystemPaths.PROGRAMS));
        shown.sort(null);
        List<String> workspace = List.of(spec.workspace());
        for (String path : shown) {
            if (!SystemPaths.within(path, workspace)) {
                show(mounts, path);
            }
        }
        mounts.writable(spec.workspace());
        protection.addTo(mounts);
        for (String path : shown) {
            if (SystemPaths.within(path, workspace) && !path.equals(spec.workspace())) {
                show(mounts, path);
            }
        }
    }

    /** Mounts an existing path; a link is followed here, once, and its target is checked. */
    private static void show(Mounts mounts, String path) {
        SpecChecks.shown(path).ifPresent(real -> mounts.readOnly(real, path));
    }

    private static void environment(
            BwrapArguments arguments, SandboxSpec spec, Network network, int port) {
        Map<String, String> environment = new TreeMap<>(spec.environment());
        boolean direct =
                spec.shared().isPresent() || !"".equals(spec.environment().get(Network.EXCEPT));
        environment.putAll(network.environment(port, direct));
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", FileSystemView.home(spec));
        environment.put("TMPDIR", "/tmp");
        environment.put("LANG", "C.UTF-8");
        InnerScripts.words(spec.shared().isPresent(), spec.argv())
                .ifPresent(words -> environment.put(InnerScripts.WORDS, words));
        if (spec.shared().isEmpty()) {
            arguments.add("--clearenv"); // otherwise the launcher's mark, alone, is to be inherited
        }
        environment.forEach((name, value) -> arguments.add("--setenv", name, value));
    }

    private String enforcement(
            SandboxSpec spec,
            Network network,
            Protection protection,
            ResourceLimitPlan bounds,
            Optional<Landlock> landlock,
            Optional<SeccompFilter> filter) {
        List<String> facts = new ArrayList<>();
        facts.add(spec.egress().name().toLowerCase(Locale.ROOT));
        facts.add("tier=c");
        facts.add("bwrap=" + helpers.version());
        facts.add(
                spec.shared()
                        .map(shared -> "ns=user,mnt shared=" + shared.id() + ":pid,ipc,uts,net")
                        .orElse(
                                "ns=user,mnt,pid,ipc,uts"
                                        + (network == Network.HOST ? "" : ",net")));
        facts.add("caps=none");
        facts.add(
                "seccomp="
                        + filter.map(one -> "sha256:" + one.sha256()).orElse("missing(permitted)"));
        if (network == Network.HOST) {
            facts.add(
                    "landlock="
                            + (landlock.isPresent()
                                    ? "" + host.landlockAbi()
                                    : spec.forbiddenPorts().isEmpty()
                                            ? "none"
                                            : "missing(permitted)"));
        }
        facts.add(bounds.words());
        facts.add("network=" + network.fact(spec, landlock.isPresent(), filter.isPresent()));
        facts.add("nproc=inner");
        facts.add(protection.words());
        return String.join(" ", facts);
    }
}
