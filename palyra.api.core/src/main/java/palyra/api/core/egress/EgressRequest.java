package palyra.api.core.egress;

import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;

/**
 * One request.
 *
 * @param who on whose behalf
 * @param method {@code GET}, {@code HEAD}, {@code POST} …, upper case
 * @param url absolute {@code https} or {@code http} URL without user information; its path and
 *     query are never recorded
 * @param headers further headers; never {@code Host}, {@code Content-Length} or hop-by-hop ones
 * @param secretHeaders headers with credentials: sent to the origin of {@code url} only, never
 *     after a redirect to another one, never recorded
 * @param body body; empty for none
 * @param limits what it may take
 */
public record EgressRequest(
        EgressContext who,
        String method,
        String url,
        Map<String, String> headers,
        Map<String, String> secretHeaders,
        byte[] body,
        EgressLimits limits) {
    /** Checks and copies. */
    public EgressRequest {
        Require.present(who, "on whose behalf a request is made");
        Require.that(
                method != null && method.matches("[A-Z]{1,16}"),
                "method '" + method + "' is not usable");
        Require.text(url, "URL");
        headers = Map.copyOf(headers);
        secretHeaders = Map.copyOf(secretHeaders);
        body = body.clone();
        Require.present(limits, "limits of a request");
    }

    @Override
    public byte[] body() {
        return body.clone();
    }

    @Override
    public String toString() {
        int slash = url.indexOf('/', url.indexOf("://") + 3);
        String origin = slash < 0 ? url.replaceAll("[?#].*", "") : url.substring(0, slash);
        return "EgressRequest[" + method + " " + origin + "/…]"; // secrets stay out of logs
    }

    /**
     * Bounds of a request.
     *
     * @param connectMillis for name, connection and TLS together
     * @param responseMillis until the head of the answer is there
     * @param totalMillis until its body has ended; 0 means that only silence ends a stream
     * @param idleMillis longest silence within the body
     * @param maxBytes largest body in bytes, after decoding
     * @param maxRedirects redirects that are followed; 0 returns the redirect itself
     * @param ports ports that may be used; empty means what policy says alone
     */
    public record EgressLimits(
            int connectMillis,
            int responseMillis,
            int totalMillis,
            int idleMillis,
            long maxBytes,
            int maxRedirects,
            Set<Integer> ports) {
        /** The default limits. */
        public static final EgressLimits DEFAULT =
                new EgressLimits(10_000, 30_000, 60_000, 30_000, 8L << 20, 5, Set.of());

        /** Checks and copies. */
        public EgressLimits {
            Require.that(
                    connectMillis > 0 && responseMillis > 0 && totalMillis >= 0 && idleMillis > 0,
                    "the times of a request are greater than 0");
            Require.that(maxBytes >= 0, "the size of an answer is at least 0");
            Require.that(maxRedirects >= 0 && maxRedirects <= 20, "0 to 20 redirects are followed");
            ports = Set.copyOf(ports);
        }
    }

    /** Returns a GET without credentials. */
    public static EgressRequest get(EgressContext who, String url) {
        return new EgressRequest(
                who, "GET", url, Map.of(), Map.of(), new byte[0], EgressLimits.DEFAULT);
    }

    /** Names of headers that no caller may set. */
    public static final List<String> RESERVED_HEADERS =
            List.of(
                    "host",
                    "content-length",
                    "connection",
                    "transfer-encoding",
                    "upgrade",
                    "te",
                    "trailer",
                    "expect");
}
