package palyra.sandbox.internal.egress;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressProxies.AllowedHost;

/**
 * A host, or every name below one, with a port. {@code *.example.test} fits {@code a.example.test}
 * and {@code a.b.example.test}, never {@code example.test} or {@code evilexample.test}.
 *
 * @param suffix {@code .example.test} for a wildcard, else empty
 * @param host host of a pattern without a wildcard, canonical; else empty
 */
record HostPattern(String suffix, String host, int port) {
    private static final String ANY = "*.";

    /**
     * Reads a pattern.
     *
     * @throws PalyraException INVALID_ARGUMENT when it is not a pattern, or matches too many hosts
     */
    static HostPattern of(AllowedHost allowed) {
        String text = allowed.host();
        try {
            if (!text.startsWith(ANY)) {
                return new HostPattern("", Host.parse(text).text(), allowed.port());
            }
            Host below = Host.parse(text.substring(ANY.length()));
            if (below.address().isPresent() || below.text().indexOf('.') < 0) {
                throw RefusedException.unusable(
                        Reason.HOST, "A wildcard needs at least two labels after it.");
            }
            return new HostPattern("." + below.text(), "", allowed.port());
        } catch (RefusedException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + DisplayText.text(text)
                            + "' was to be allowed; use a host such as api.example.com or"
                            + " *.example.com: "
                            + e.getMessage(),
                    e);
        }
    }

    boolean fits(Host candidate, int candidatePort) {
        if (candidatePort != port) {
            return false;
        }
        if (suffix.isEmpty()) {
            return candidate.text().equals(host);
        }
        return candidate.address().isEmpty()
                && candidate.text().length() > suffix.length()
                && candidate.text().endsWith(suffix);
    }

    static boolean anyMatches(List<HostPattern> patterns, Host host, int port) {
        return patterns.stream().anyMatch(pattern -> pattern.fits(host, port));
    }
}
