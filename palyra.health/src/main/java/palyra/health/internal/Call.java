package palyra.health.internal;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;

/**
 * What matters of a request.
 *
 * @param method HTTP method
 * @param host host, with or without port, that it is addressed to
 * @param secure whether it came over TLS
 * @param localAddress address it arrived at
 * @param remoteAddress address it came from
 * @param forwarded whether a proxy says that it came from somebody else
 * @param authorization the {@code Authorization} header; null when there is none
 */
record Call(
        String method,
        String host,
        boolean secure,
        String localAddress,
        String remoteAddress,
        boolean forwarded,
        String authorization) {
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

    static Call of(HttpServletRequest request) {
        String host = request.getHeader("Host");
        return new Call(
                request.getMethod(),
                host == null ? request.getServerName() : host,
                request.isSecure(),
                request.getLocalAddr(),
                request.getRemoteAddr(),
                PROXY_HEADERS.stream().anyMatch(name -> request.getHeader(name) != null),
                request.getHeader("Authorization"));
    }

    /** Returns whether it was sent and received on this machine, by the caller itself. */
    boolean isLocal() {
        return !forwarded
                && Addresses.isLoopback(localAddress)
                && Addresses.isLoopback(remoteAddress);
    }

    Optional<String> credential() {
        return Optional.ofNullable(authorization);
    }

    @Override
    public String toString() {
        return "Call[" + method + " from " + remoteAddress + "]";
    }
}
