package palyra.shared.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.api.Require;
import palyra.shared.net.Addresses;

/**
 * Host names that requests to a face may carry besides localhost and the address that they arrived
 * at.
 *
 * @param names lower case, without port
 */
public record AllowedHosts(Set<String> names) {
    /** Checks. */
    public AllowedHosts {
        names = Set.copyOf(names);
        names.forEach(
                host ->
                        Require.that(
                                host.matches("[a-z0-9.-]{1,253}"),
                                "allowedHosts holds '"
                                        + host
                                        + "': give a host name without port"));
    }

    /** Reads a setting; blank names are left out. */
    public static AllowedHosts of(String[] setting) {
        return new AllowedHosts(
                Arrays.stream(setting)
                        .map(host -> host.strip().toLowerCase(Locale.ROOT))
                        .filter(host -> !host.isEmpty())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * A refusal before any credential is looked at.
     *
     * @param status HTTP status
     * @param reason one sentence that any caller may read
     */
    public record Refusal(int status, String reason) {}

    /**
     * Refuses a request that is addressed to another host, or that came over the network without
     * TLS.
     *
     * @param pid configuration that has the setting, for the remedy
     */
    public Optional<Refusal> refusal(RequestInfo request, String pid) {
        if (!isOwn(request)) {
            return Optional.of(
                    new Refusal(
                            Reply.MISDIRECTED,
                            "The request is addressed to another host; use localhost, or name the"
                                    + " host in allowedHosts of "
                                    + pid
                                    + "."));
        }
        return plainOverNetwork(request);
    }

    /** Refuses a request that came over the network without TLS, which others could have read. */
    public static Optional<Refusal> plainOverNetwork(RequestInfo request) {
        boolean overNetwork =
                !Addresses.isLoopback(request.localAddress())
                        || !Addresses.isLoopback(request.remoteAddress());
        return overNetwork && !request.secure()
                ? Optional.of(
                        new Refusal(Reply.DENIED, "From other machines only over TLS is accepted."))
                : Optional.empty();
    }

    /**
     * Guards against DNS rebinding: a foreign web page can make a browser send its own host name
     * here, but never this machine's address.
     */
    private boolean isOwn(RequestInfo request) {
        String host = Addresses.hostOf(request.host());
        return !host.isEmpty()
                && (Addresses.isLoopback(host)
                        || names.contains(host)
                        || Addresses.sameAddress(host, request.localAddress()));
    }
}
