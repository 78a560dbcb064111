package palyra.console.internal.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Accounts;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.IssuedSession;
import palyra.api.core.access.SignInProof;
import palyra.shared.gate.Gate;

/**
 * Browser sessions. A session is a marked token of {@code palyra.access} in a cookie: it is kept
 * hashed, has an end, is listed and revoked with the others, and is looked up at each request, so
 * that a revoked session is refused at once. Thread-safe.
 */
public final class Sessions {
    private static final String CSRF_TAG = "palyra.console.csrf.v1";
    private static final int DEVICE_SECONDS = (int) TimeUnit.DAYS.toSeconds(365);

    private final Gate<Accounts> accounts;
    private final Origins origins;

    /** Creates the sessions over the accounts. */
    public Sessions(Gate<Accounts> accounts, Origins origins) {
        this.accounts = accounts;
        this.origins = origins;
    }

    /**
     * Returns the viewer of a request; empty when it carries no session or one that is over.
     *
     * @throws PalyraException when sessions cannot be looked up now
     */
    public Optional<Viewer> viewer(HttpServletRequest request) {
        return secret(request).flatMap(secret -> viewer(secret, byThePerson(request)));
    }

    /**
     * Returns the viewer of a session that a stream was opened with; looking at it does not put its
     * idle end off.
     */
    public Optional<Viewer> viewer(String secret) {
        return viewer(secret, false);
    }

    private Optional<Viewer> viewer(String secret, boolean byThePerson) {
        try {
            ConsoleSession session = accounts.call(a -> a.session(secret, byThePerson));
            return Optional.of(new Viewer(session, csrf(secret)));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** What a page loads by itself does not put the idle end off. */
    private static boolean byThePerson(HttpServletRequest request) {
        boolean partial = "true".equals(request.getHeader("HX-Request"));
        boolean stream = request.getRequestURI().startsWith("/console/events");
        return !request.getMethod().equals("GET") || !(partial || stream);
    }

    /** Puts a session that began into the browser. */
    public void begin(HttpServletResponse response, IssuedSession issued) {
        long life = issued.session().expiresAtMillis() - issued.session().createdAtMillis();
        Cookies.set(
                response,
                Cookies.SESSION,
                issued.secret(),
                (int) TimeUnit.MILLISECONDS.toSeconds(life));
        Cookies.set(response, Cookies.DEVICE, issued.device(), DEVICE_SECONDS);
    }

    /** Proves again who is at the browser, and returns the viewer after it. */
    public Viewer prove(HttpServletRequest request, SignInProof proof) {
        String secret =
                secret(request)
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.UNAUTHENTICATED,
                                                "The session has ended; sign in again."));
        ConsoleSession session =
                accounts.call(a -> a.prove(secret, proof, origins.client(request)));
        return new Viewer(session, csrf(secret));
    }

    /** Removes the session from the browser. */
    public void end(HttpServletResponse response) {
        Cookies.set(response, Cookies.SESSION, "", 0);
    }

    /** Returns the session's secret as the request carries it; empty without one. */
    public static Optional<String> secret(HttpServletRequest request) {
        return Cookies.find(request, Cookies.SESSION);
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
