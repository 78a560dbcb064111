package palyra.sandbox.tierc.linux.internal;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.seccomp.Profile;

/** How the network of a command is restricted. */
enum Network {
    /** A network namespace of its own, and no sockets at all. */
    OFFLINE,
    /**
     * A network namespace of its own, in which a bridge leads to the proxy of this command and
     * nowhere else. The filter lets the bridge make Unix sockets, and so the command too: in one
     * sandbox they cannot have different filters. A second sandbox inside the first could, but
     * would need user namespaces inside, which are switched off. What Unix sockets could reach is
     * closed otherwise: abstract ones belong to the network namespace, and folders are searched for
     * others.
     */
    PROXY,
    /**
     * That of a sandbox which commands of one session share: a loopback, and nothing else. Unix
     * sockets of the host are kept away as with {@link #PROXY}.
     */
    LOOPBACK,
    /**
     * The host's, except for some TCP ports. There are no Unix sockets, so no search for them is
     * needed.
     */
    HOST;

    /** First version of Landlock with rules for ports. */
    static final int PORTS_ABI = 4;

    private static final int SCOPES_ABI = 6;

    /** Variable with what is reached without the proxy; empty in a specification for nothing. */
    static final String EXCEPT = "NO_PROXY";

    private static final String PROXY_URL = "http://127.0.0.1:";

    /** What a sandbox serves itself. */
    private static final String NOT_BY_PROXY = "localhost,127.0.0.1,::1,0.0.0.0,sandbox";

    static Network of(SandboxSpec spec) {
        if (spec.egress() != Egress.STRICT) {
            return HOST;
        }
        if (spec.proxyFolder().isPresent()) {
            return PROXY;
        }
        return spec.shared().isPresent() ? LOOPBACK : OFFLINE;
    }

    Profile profile() {
        return switch (this) {
            case OFFLINE -> Profile.OFFLINE;
            case PROXY, LOOPBACK -> Profile.DEFAULT;
            case HOST -> Profile.NOUNIX;
        };
    }

    /**
     * Returns the environment variables that name the proxy, whose bridge is at a port.
     *
     * @param direct whether the loopback of the sandbox is reached without the proxy; otherwise the
     *     proxy leads to servers on the loopback of the host
     */
    Map<String, String> environment(int port, boolean direct) {
        Map<String, String> environment = new TreeMap<>();
        if (this == PROXY) {
            for (String name : new String[] {"http_proxy", "https_proxy", "all_proxy"}) {
                environment.put(name, PROXY_URL + port);
                environment.put(name.toUpperCase(java.util.Locale.ROOT), PROXY_URL + port);
            }
            environment.putAll(Toolchains.environment(port, direct));
            environment.put("no_proxy", direct ? NOT_BY_PROXY : "");
            environment.put(EXCEPT, direct ? NOT_BY_PROXY : "");
        }
        return environment;
    }

    /** Returns rules for the network only: rules for files would keep bubblewrap from mounting. */
    Optional<Landlock> landlock(SandboxSpec spec, HostFacts host, AllowedPorts ports) {
        if (this != HOST || host.landlockAbi() < PORTS_ABI) {
            return Optional.empty();
        }
        boolean restrict = !spec.forbiddenPorts().isEmpty();
        boolean scoped = host.landlockAbi() >= SCOPES_ABI;
        if (!restrict && !scoped) {
            return Optional.empty();
        }
        Set<Integer> connect = restrict ? ports.allBut(spec.forbiddenPorts()) : Set.of();
        return Optional.of(new Landlock(false, java.util.List.of(), restrict, connect, scoped));
    }

    /** Returns the {@code network=} fact of an enforcement. */
    String fact(SandboxSpec spec, boolean landlocked, boolean filtered) {
        return switch (this) {
            case OFFLINE -> "offline";
            case PROXY -> "proxy" + (spec.shared().isPresent() ? ",loopback" : "");
            case LOOPBACK -> "loopback";
            case HOST -> "host" + except(spec, landlocked) + (filtered ? "" : ",unix");
        };
    }

    private static String except(SandboxSpec spec, boolean landlocked) {
        if (!landlocked || spec.forbiddenPorts().isEmpty()) {
            return "";
        }
        return spec.forbiddenPorts().stream()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining("+", ",tcp-except:", ""));
    }
}
