package palyra.sandbox.internal.process;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallFacts;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.shared.gate.Gate;

/**
 * Asks policy about every host that a command would reach as far as its arguments tell, before
 * anything starts: action {@code network.connect} on {@code host:NAME}. Without a policy the answer
 * is no. Thread-safe.
 */
public final class Preflight {
    static final String ACTION = "network.connect";
    private static final int MOST = 64;
    private static final int HTTPS = 443;

    private final Gate<Access> access;

    /** Creates it over the enforcement front. */
    public Preflight(Gate<Access> access) {
        this.access = access;
    }

    /**
     * Returns every host and port that a command names: what its arguments tell, each host with
     * each port and with 443 when they name none, and what it asks for.
     *
     * @throws PalyraException DENIED when they are too many to ask about
     */
    static Set<AllowedHost> named(CallFacts facts, List<AllowedHost> requested) {
        Set<Integer> ports = facts.ports().isEmpty() ? Set.of(HTTPS) : facts.ports();
        Set<AllowedHost> named = new LinkedHashSet<>(requested);
        for (String host : new TreeSet<>(facts.hosts())) {
            for (int port : new TreeSet<>(ports)) {
                named.add(new AllowedHost(host, port));
                requireFew(named.size());
            }
        }
        requireFew(named.size());
        return named;
    }

    private static void requireFew(int count) {
        if (count > MOST) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The command names more than "
                            + MOST
                            + " pairs of host and port, the limit. Name fewer.");
        }
    }

    /**
     * Returns when every host is allowed.
     *
     * @param maxBytes how many bytes may come back by each at most
     * @throws PalyraException DENIED naming the host, POLICY_UNAVAILABLE
     */
    public void require(EgressContext who, Set<AllowedHost> named, long maxBytes) {
        named.forEach(one -> require(who, one.host(), one.port(), maxBytes));
    }

    private void require(EgressContext who, String host, int port, long maxBytes) {
        AccessRequest request =
                new AccessRequest(
                        principal(who),
                        ACTION,
                        "host:" + host,
                        "",
                        Map.of(
                                "port",
                                Integer.toString(port),
                                "maxBytes",
                                Long.toString(maxBytes),
                                "purpose",
                                who.purpose(),
                                "agent",
                                who.agent(),
                                "call",
                                who.callId()));
        try {
            access.run(front -> front.authorizeRead(request));
        } catch (PalyraException e) {
            throw new PalyraException(
                    e.code(),
                    "The command would reach " + host + ":" + port + ". " + e.getMessage(),
                    new HostDenied(e));
        }
    }

    /** Returns whether a refusal is that of a host by policy, and not one for want of a policy. */
    public static boolean denied(PalyraException refusal) {
        return refusal.code() == ErrorCode.DENIED && refusal.getCause() instanceof HostDenied;
    }

    /** Marks what policy said about a host. */
    private static final class HostDenied extends Exception {
        private static final long serialVersionUID = 1;

        HostDenied(PalyraException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private static Principal principal(EgressContext who) {
        String id = who.principal();
        String kind = id.substring(0, Math.max(0, id.indexOf(':'))).toLowerCase(Locale.ROOT);
        return new Principal(
                id,
                switch (kind) {
                    case "device" -> PrincipalKind.DEVICE;
                    case "service" -> PrincipalKind.SERVICE;
                    case "system" -> PrincipalKind.SYSTEM;
                    default -> PrincipalKind.USER;
                },
                who.groups(),
                Set.of(),
                "");
    }
}
