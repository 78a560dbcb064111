package palyra.sandbox.tierb.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.ResourceLimitPlan;
import palyra.shared.confine.SystemPaths;
import palyra.shared.seccomp.Filters;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/**
 * Translates a sandbox spec into a launch plan.
 *
 * <p>A command sees the workspace, programs and libraries, a few settings, and devices without
 * state; not {@code /proc}, which shows other processes, and not the shared {@code /tmp}. Account
 * names are readable, because tools look up their user.
 *
 * <p>No mode has Unix sockets: Landlock does not restrict sockets that have a path, and the user's
 * service manager and agents listen there, which would run any program outside. Nor can a command
 * listen on TCP ports. UDP stays open unless egress is strict.
 *
 * <p>Landlock has no rules for the mode, owner, times and attributes of files, nor for watching
 * them. The launcher supervises these calls: it makes them for the command beneath the workspace
 * and refuses them elsewhere, {@code metadata=beneath} in the enforcement. Where the kernel does
 * not let it ({@link TierBProbe} tries), a command can change the metadata of every file of the
 * gateway's user, though neither read nor write it: {@code metadata=open}.
 */
final class TierBPlan {
    private static final List<String> ACCOUNTS =
            List.of("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts");
    private static final List<String> DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

    private final HostFacts host;
    private final TierBSettings settings;
    private final AllowedPorts ports;
    private final Filters filters;
    private final boolean supervised;

    /** Plans for a host; {@code supervised} says whether supervision was seen to work there. */
    TierBPlan(
            HostFacts host,
            TierBSettings settings,
            AllowedPorts ports,
            Filters filters,
            boolean supervised) {
        this.host = host;
        this.supervised = supervised && KernelNeeds.supervision(host);
        this.filters = filters;
        this.settings = settings;
        this.ports = ports;
    }

    /** Returns the launch; {@code scratch} is the call's folder for temporary files. */
    LaunchPlan of(SandboxSpec spec, String scratch) {
        ResourceLimitPlan bounds =
                ResourceLimitPlan.of(
                        spec.limits(), host, spec.permitMissing().contains("cgroup"), 0);
        Optional<SeccompFilter> filter = filter(spec);
        return new LaunchPlan(
                spec.callId(),
                spec.argv(),
                environment(spec, scratch),
                spec.workingFolder(),
                bounds.rlimits(),
                bounds.group(),
                landlock(spec),
                filter.map(SeccompFilter::bytes),
                List.of(),
                0,
                spec.stdinPiped(),
                enforcement(spec, bounds, filter));
    }

    private static Map<String, String> environment(SandboxSpec spec, String scratch) {
        Map<String, String> environment = new TreeMap<>(spec.environment());
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", scratch);
        environment.put("TMPDIR", scratch);
        environment.put("LANG", "C.UTF-8");
        return environment;
    }

    private Optional<SeccompFilter> filter(SandboxSpec spec) {
        if (!KernelNeeds.seccomp(host)) {
            return Optional.empty();
        }
        Profile profile = strict(spec) ? Profile.OFFLINE : Profile.NOUNIX;
        return KernelNeeds.architecture(host)
                .map(architecture -> filters.of(profile, architecture));
    }

    private Optional<Landlock> landlock(SandboxSpec spec) {
        if (host.landlockAbi() == 0) {
            return Optional.empty();
        }
        boolean restrictTcp = strict(spec) || !spec.forbiddenPorts().isEmpty();
        Set<Integer> connect = strict(spec) ? Set.of() : ports.allBut(spec.forbiddenPorts());
        return Optional.of(
                new Landlock(
                        true,
                        paths(spec),
                        restrictTcp,
                        restrictTcp ? connect : Set.of(),
                        true,
                        supervised));
    }

    private List<PathRule> paths(SandboxSpec spec) {
        List<PathRule> rules = new ArrayList<>();
        rules.add(new PathRule(spec.workspace(), Access.WRITE));
        SystemPaths.PROGRAMS.forEach(path -> rules.add(new PathRule(path, Access.EXECUTE)));
        SystemPaths.settings().forEach(path -> rules.add(new PathRule(path, Access.READ)));
        ACCOUNTS.forEach(path -> rules.add(new PathRule(path, Access.READ)));
        if (!strict(spec)) {
            SystemPaths.NAME_SERVICE.forEach(path -> rules.add(new PathRule(path, Access.READ)));
        }
        DEVICES.forEach(path -> rules.add(new PathRule(path, Access.DEVICE)));
        spec.readOnlyPaths().forEach(path -> rules.add(new PathRule(path, Access.EXECUTE)));
        settings.readOnlyPaths().forEach(path -> rules.add(new PathRule(path, Access.EXECUTE)));
        return rules;
    }

    private String enforcement(
            SandboxSpec spec, ResourceLimitPlan bounds, Optional<SeccompFilter> filter) {
        List<String> facts = new ArrayList<>();
        facts.add(spec.egress().name().toLowerCase(java.util.Locale.ROOT));
        facts.add("tier=b");
        facts.add("landlock=" + landlockFact());
        facts.add(
                "seccomp="
                        + filter.map(one -> "sha256:" + one.sha256()).orElse("missing(permitted)"));
        facts.add(bounds.words());
        facts.add("network=" + network(spec, filter.isPresent()));
        facts.add("nproc=" + (host.cgroupControllers().contains("pids") ? "cgroup" : "none"));
        facts.add("metadata=" + (supervised ? TierBProbe.BENEATH : TierBProbe.OPEN));
        if (!spec.protectedPaths().isEmpty()) {
            facts.add("protected=none");
        }
        return String.join(" ", facts);
    }

    private String landlockFact() {
        if (host.landlockAbi() == 0) {
            return "missing(permitted)";
        }
        return host.landlockAbi() + (KernelNeeds.landlock(host) ? "" : "(permitted)");
    }

    /** Reports what is enforced: without a filter and Landlock's ports the network is open. */
    private String network(SandboxSpec spec, boolean filtered) {
        boolean tcp = host.landlockAbi() >= 4;
        if (strict(spec)) {
            return filtered ? "offline" : tcp ? "no-tcp(permitted)" : "open(permitted)";
        }
        String unix = filtered ? "" : ",unix";
        if (spec.forbiddenPorts().isEmpty()) {
            return "host" + unix;
        }
        String list =
                spec.forbiddenPorts().stream()
                        .sorted()
                        .map(String::valueOf)
                        .collect(Collectors.joining("+"));
        String bind = tcp && supervised ? ",bind:loopback" : "";
        return (tcp ? "host,tcp-except:" + list + bind : "host") + unix;
    }

    private static boolean strict(SandboxSpec spec) {
        return spec.egress() == Egress.STRICT;
    }
}
