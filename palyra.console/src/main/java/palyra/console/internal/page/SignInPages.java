package palyra.console.internal.page;

import java.io.IOException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Credential;
import palyra.console.internal.Seams;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** Signing in and out. */
public final class SignInPages {
    /**
     * What the page shows.
     *
     * @param to page to go on with
     * @param problem why the last try failed; empty for none
     */
    public record View(String to, String problem) {}

    private static final int SESSION_SECONDS = 12 * 60 * 60;

    private final Seams seams;
    private final Sessions sessions;

    /** Creates the pages. */
    public SignInPages(Seams seams, Sessions sessions) {
        this.seams = seams;
        this.sessions = sessions;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.open("GET", "/console/sign-in", this::show);
        router.open("POST", "/console/sign-in", this::signIn);
        router.post("/console/sign-out", this::signOut);
    }

    private void show(Exchange exchange) throws IOException {
        exchange.page(
                "Sign in", "page/sign-in.jte", new View(target(exchange.parameter("to")), ""));
    }

    private void signIn(Exchange exchange) throws IOException {
        String to = target(exchange.parameter("to"));
        String token = exchange.parameter("token").strip();
        try {
            if (token.isEmpty()) {
                throw new PalyraException(
                        ErrorCode.UNAUTHENTICATED, "Enter a token; it begins with palyra_.");
            }
            seams.access().call(access -> access.authenticate(new Credential.ApiToken(token)));
        } catch (PalyraException e) {
            exchange.page(
                    e.code() == ErrorCode.UNAUTHENTICATED ? 401 : 503,
                    "Sign in",
                    "page/sign-in.jte",
                    new View(to, e.getMessage()));
            return;
        }
        sessions.begin(exchange.response(), token, SESSION_SECONDS);
        exchange.seeOther(to);
    }

    private void signOut(Exchange exchange) {
        sessions.end(exchange.response());
        exchange.seeOther("/console/sign-in");
    }

    /** Only pages of the console are gone on with. */
    private static String target(String to) {
        boolean own =
                to.startsWith("/console/")
                        && !to.startsWith("/console/sign-")
                        && !to.contains("\\")
                        && !to.contains("//")
                        && to.chars().noneMatch(Character::isISOControl);
        return own ? to : "/console/";
    }
}
