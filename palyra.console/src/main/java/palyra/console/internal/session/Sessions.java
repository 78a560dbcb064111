package palyra.console.internal.session;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.Credential;
import palyra.shared.gate.Gate;

/**
 * Browser sessions. A session is an API token of {@code palyra.access} in a cookie: it is kept
 * hashed, has an end, is listed and revoked with the others, and is looked up at each request, so
 * that a revoked session is refused at once. Thread-safe.
 */
public final class Sessions {
    /** Cookie of the session: only this host, every path, only over TLS or on the loopback. */
    static final String COOKIE = "__Host-palyra";

    private static final String CSRF_TAG = "palyra.console.csrf.v1";

    private final Gate<Access> access;

    /** Creates the sessions over access control. */
    public Sessions(Gate<Access> access) {
        this.access = access;
    }

    /**
     * Returns the viewer of a request; empty when it carries no session or one that is over.
     *
     * @throws PalyraException when sessions cannot be looked up now
     */
    public Optional<Viewer> viewer(HttpServletRequest request) {
        return secret(request).flatMap(this::viewer);
    }

    /**
     * Returns the viewer of a session that a request of some time ago carried; empty when it is
     * over.
     *
     * @throws PalyraException when sessions cannot be looked up now
     */
    public Optional<Viewer> viewer(String secret) {
        try {
            Credential credential = new Credential.ApiToken(secret);
            return Optional.of(
                    new Viewer(access.call(a -> a.authenticate(credential)), csrf(secret)));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Begins the session of a token. */
    public void begin(HttpServletResponse response, String secret, int maxAgeSeconds) {
        response.addCookie(cookie(secret, maxAgeSeconds));
    }

    /** Removes the cookie. */
    public void end(HttpServletResponse response) {
        response.addCookie(cookie("", 0));
    }

    private static Cookie cookie(String value, int maxAgeSeconds) {
        Cookie cookie = new Cookie(COOKIE, value);
        cookie.setPath("/");
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        cookie.setMaxAge(maxAgeSeconds);
        cookie.setAttribute("SameSite", "Strict");
        return cookie;
    }

    /** Returns the session's secret as the request carries it; empty without one. */
    public static Optional<String> secret(HttpServletRequest request) {
        if (request.getCookies() != null) {
            for (Cookie cookie : request.getCookies()) {
                if (cookie.getName().equals(COOKIE) && !cookie.getValue().isEmpty()) {
                    return Optional.of(cookie.getValue());
                }
            }
        }
        return Optional.empty();
    }

    /** Derived from the secret, which no page shows, so a swap of the console keeps it. */
    private static String csrf(String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(CSRF_TAG.getBytes(StandardCharsets.UTF_8));
            byte[] hash = digest.digest(secret.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
