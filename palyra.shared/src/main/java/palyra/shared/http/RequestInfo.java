package palyra.shared.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import palyra.shared.net.Addresses;

/**
 * The parts of an HTTP request that authorization needs.
 *
 * @param method HTTP method
 * @param host target host, with or without port
 * @param secure whether it came over TLS
 * @param localAddress address it arrived at
 * @param remoteAddress address it came from
 * @param forwarded whether a proxy forwarded it
 * @param authorization the {@code Authorization} header; null when absent
 */
public record RequestInfo(
        String method,
        String host,
        boolean secure,
        String localAddress,
        String remoteAddress,
        boolean forwarded,
        String authorization) {
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

    /** Reads a request. */
    public static RequestInfo of(HttpServletRequest request) {
        String host = request.getHeader("Host");
        return new RequestInfo(
                request.getMethod(),
                host == null ? request.getServerName() : host,
                request.isSecure(),
                request.getLocalAddr(),
                request.getRemoteAddr(),
                PROXY_HEADERS.stream().anyMatch(name -> request.getHeader(name) != null),
                request.getHeader("Authorization"));
    }

    /** Returns whether it was sent and received on this machine without a proxy. */
    public boolean isLocal() {
        return !forwarded
                && Addresses.isLoopback(localAddress)
                && Addresses.isLoopback(remoteAddress);
    }

    /** Returns the {@code Authorization} header. */
    public Optional<String> credential() {
        return Optional.ofNullable(authorization);
    }

    @Override
    public String toString() {
        return "RequestInfo[" + method + " from " + remoteAddress + "]";
    }
}
