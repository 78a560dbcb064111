package palyra.console.internal.felix;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.felix.webconsole.spi.SecurityProvider;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.console.internal.Seams;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.session.Viewer;
import palyra.shared.http.AllowedHosts;
import palyra.shared.http.RequestInfo;

/**
 * Lets a request through to Felix's Web Console when the console's session is an administrator's
 * and nothing is to be changed: what is changed there would neither be asked action by action nor
 * recorded. Thread-safe.
 */
public final class FelixGuard implements SecurityProvider {
    /** What a person needs to be allowed to look at it. */
    static final String ACTION = "system.webconsole";

    private static final int MISDIRECTED = 421;

    /** Its pages have scripts and styles within them, so those cannot be refused. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self'"
                    + " 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self';"
                    + " form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

    private final Seams seams;
    private final Sessions sessions;
    private final Origins origins;

    /** Creates the guard over the console's own sessions. */
    public FelixGuard(Seams seams, Sessions sessions, Origins origins) {
        this.seams = seams;
        this.sessions = sessions;
        this.origins = origins;
    }

    /** Returns the person's principal, or null when the request was answered here. */
    @Override
    public Object authenticate(HttpServletRequest request, HttpServletResponse response) {
        headers(response);
        try {
            return admitted(request, response);
        } catch (PalyraException e) {
            refuse(response, HttpServletResponse.SC_FORBIDDEN, e.getMessage());
        } catch (RuntimeException e) {
            refuse(
                    response,
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "It could not be found out who you are; try again.");
        }
        return null;
    }

    private String admitted(HttpServletRequest request, HttpServletResponse response) {
        if (origins.of(request).isEmpty()) {
            refuse(response, MISDIRECTED, "The console is not offered under this host.");
            return null;
        }
        Optional<AllowedHosts.Refusal> plain =
                AllowedHosts.plainOverNetwork(RequestInfo.of(request));
        if (plain.isPresent()) {
            refuse(response, plain.get().status(), plain.get().reason());
            return null;
        }
        Optional<Viewer> viewer = sessions.viewer(request);
        if (viewer.isEmpty()) {
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader("Location", "/console/sign-in?to=%2Fconsole%2F");
            return null;
        }
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            refuse(
                    response,
                    HttpServletResponse.SC_FORBIDDEN,
                    "Felix's Web Console only shows here. Change bundles and components by the"
                            + " console's Bundles page or by palyra bundle, swap and scr: those are"
                            + " asked and recorded.");
            return null;
        }
        seams.access()
                .call(
                        access ->
                                access.authorizeRead(
                                        AccessRequest.of(viewer.get().principal(), ACTION, "")));
        return viewer.get().principal().id();
    }

    private static void headers(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
    }

    private static void refuse(HttpServletResponse response, int status, String sentence) {
        byte[] body = sentence.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/plain; charset=utf-8");
        response.setContentLength(body.length);
        try {
            response.getOutputStream().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its roles are not used: who is let through may look at all of it. */
    @Override
    public boolean authorize(Object user, String role) {
        return true;
    }

    /** The session is the console's; it ends there. */
    @Override
    public void logout(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", "/console/account");
    }
}
