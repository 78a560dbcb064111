package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.access.Permit;
import palyra.sandbox.internal.run.OwnPorts;

/**
 * Decides on a connection: first policy, because even a DNS query discloses the name; then the name
 * is resolved once; then every address is checked, and one forbidden address refuses the
 * connection. Thread-safe.
 */
final class ConnectionAuthorizer {
    private static final int MOST_ADDRESSES = 64;

    private final EgressPolicy policy;
    private final DnsResolver resolver;
    private final AddressRule rule;
    private final OwnPorts ownPorts;
    private final Supplier<List<HostPattern>> mayBePrivate;
    private final Supplier<List<AddressRange>> allowedRanges;

    ConnectionAuthorizer(
            EgressPolicy policy,
            DnsResolver resolver,
            AddressRule rule,
            OwnPorts ownPorts,
            Supplier<List<HostPattern>> mayBePrivate,
            Supplier<List<AddressRange>> allowedRanges) {
        this.policy = policy;
        this.resolver = resolver;
        this.rule = rule;
        this.ownPorts = ownPorts;
        this.mayBePrivate = mayBePrivate;
        this.allowedRanges = allowedRanges;
    }

    /**
     * What was decided.
     *
     * @param addresses addresses that were checked, of which one is to be connected to; never empty
     * @param leftMillis remaining time after the name was resolved; at least 1
     */
    record Authorized(Permit permit, List<InetAddress> addresses, long leftMillis) {}

    /**
     * Decides.
     *
     * @param millis for the name and the connection together; policy's time does not count
     * @throws RefusedException when the connection may not or cannot be made
     */
    Authorized open(ConnectionRequest request, long millis) {
        Permit permit = policy.permit(request);
        long start = System.nanoTime();
        List<InetAddress> addresses = resolver.addresses(request.host(), millis);
        long spent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (addresses.isEmpty() || addresses.size() > MOST_ADDRESSES) {
            throw RefusedException.denied(
                    Reason.ADDRESS,
                    request.host() + " has " + addresses.size() + " addresses; 1 to 64 are used.");
        }
        addresses.forEach(address -> check(request, address));
        return new Authorized(permit, List.copyOf(addresses), Math.max(1, millis - spent));
    }

    /**
     * Decides again on a connection that is open, by policy and for its address; the name is not
     * resolved again. Returns why it may be open no more, or empty.
     */
    Optional<RefusedException> refusalOf(ConnectionRequest request, InetAddress address) {
        try {
            policy.permit(request);
            check(request, address);
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e);
        }
    }

    boolean hasPolicy() {
        return policy.isPresent();
    }

    private void check(ConnectionRequest request, InetAddress address) {
        if (request.local() && !address.isLoopbackAddress()) {
            throw new RefusedException(
                    Reason.ADDRESS,
                    ErrorCode.DENIED,
                    request.hostAndPort()
                            + " leads to "
                            + IpLiterals.text(address)
                            + ", which is not this machine: only TLS leads elsewhere.",
                    request.hostAndPort()
                            + " is another machine, to which no connection without TLS is made.",
                    null);
        }
        boolean excepted =
                HostPattern.anyMatches(mayBePrivate.get(), request.host(), request.port());
        Optional<String> refusal = rule.refusal(address);
        boolean near = refusal.isPresent() || PublicAddresses.ofThisMachine(address);
        if (near && ownPorts.isOpen(request.port())) {
            throw denied(
                    Reason.OWN_PORT,
                    request,
                    request.hostAndPort()
                            + " leads to a port of this gateway, which no connection may use.");
        }
        boolean mayBeListed = PrivateAddresses.holds(address);
        boolean inRange =
                !PrivateAddresses.never(address)
                        && allowedRanges.get().stream().anyMatch(range -> range.contains(address));
        if (refusal.isPresent() && !inRange && !(excepted && mayBeListed)) {
            throw denied(
                    Reason.ADDRESS,
                    request,
                    request.hostAndPort()
                            + " leads to "
                            + IpLiterals.text(address)
                            + ", which is "
                            + refusal.get()
                            + ": only public internet addresses are allowed."
                            + (mayBeListed ? remedy(request) : ""));
        }
    }

    /** Hides the address from a model, because an internal name server may have resolved it. */
    private static RefusedException denied(
            Reason reason, ConnectionRequest request, String message) {
        return new RefusedException(
                reason,
                ErrorCode.DENIED,
                message,
                request.hostAndPort()
                        + " has an address outside of the public internet; only public addresses"
                        + " are allowed. Use another host, or ask the operator, who finds the"
                        + " details in the journal and can add it to allowPrivateRanges of"
                        + " palyra.sandbox.egress.",
                null);
    }

    private static String remedy(ConnectionRequest request) {
        return " To allow it, add \""
                + request.hostAndPort()
                + "\" to allowPrivate, or its range to allowPrivateRanges, in conf/"
                + EgressConfiguration.PID
                + ".json.";
    }
}
