package palyra.console.internal.account;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.Invitation;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** Signing in and out, and making the first account with the bootstrap token. */
public final class SignInPages {
    /**
     * What the page shows.
     *
     * @param to page to go on with
     * @param account name that was entered
     * @param problem why the last try failed; empty for none
     * @param first whether there is no account yet, so that the first is made
     * @param passwords whether passwords count
     */
    public record View(
            String to, String account, String problem, boolean first, boolean passwords) {}

    private static final String OPERATOR = "operator";

    private final AccountCalls calls;

    /** Creates the pages. */
    public SignInPages(AccountCalls calls) {
        this.calls = calls;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.open("GET", "/console/sign-in", this::show);
        router.open("POST", "/console/sign-in", this::signIn);
        router.open("POST", "/console/sign-in/first", this::first);
        router.post("/console/sign-out", this::signOut);
    }

    private void show(Exchange exchange) throws IOException {
        page(exchange, 200, "");
    }

    private void page(Exchange exchange, int status, String problem) throws IOException {
        boolean first = calls.accounts(accounts -> accounts.empty());
        exchange.page(
                status,
                first ? "First start" : "Sign in",
                "page/sign-in.jte",
                new View(
                        Targets.own(exchange.parameter("to")),
                        exchange.parameter("account"),
                        problem,
                        first,
                        calls.settings().passwords()));
    }

    private void signIn(Exchange exchange) throws IOException {
        try {
            SignInProof proof = calls.proof(exchange);
            SignInClient client = calls.client(exchange);
            calls.begin(
                    exchange,
                    calls.accounts(
                            accounts -> accounts.signIn(proof, client, calls.settings().times())));
        } catch (PalyraException e) {
            refuse(exchange, e);
            return;
        }
        exchange.seeOther(Targets.own(exchange.parameter("to")));
    }

    private void refuse(Exchange exchange, PalyraException reason) throws IOException {
        switch (reason.code()) {
            case UNAUTHENTICATED, INVALID_ARGUMENT ->
                    page(exchange, HttpServletResponse.SC_UNAUTHORIZED, reason.getMessage());
            case DENIED, CONFLICT ->
                    page(exchange, HttpServletResponse.SC_FORBIDDEN, reason.getMessage());
            case RESOURCE_EXHAUSTED -> page(exchange, 429, reason.getMessage());
            default -> throw reason;
        }
    }

    /** The bootstrap token, or another unlimited operator's, opens the first account: once. */
    private void first(Exchange exchange) throws IOException {
        try {
            if (!calls.accounts(accounts -> accounts.empty())) {
                throw new PalyraException(
                        ErrorCode.DENIED,
                        "There is an account already, so no token makes one here. Ask an operator:"
                                + " palyra console invite NAME.");
            }
            String token = exchange.parameter("token").strip();
            String name = exchange.parameter("account").strip().toLowerCase(Locale.ROOT);
            Principal maker =
                    calls.seams()
                            .access()
                            .call(access -> access.authenticate(new Credential.ApiToken(token)));
            AccessRequest request =
                    AccessRequest.of(maker, "access.account.invite", "principal:user:" + name);
            Authorized permit = calls.seams().access().call(access -> access.authorize(request));
            Invitation invitation =
                    calls.accounts(accounts -> accounts.invite(permit, name, Set.of(OPERATOR)));
            exchange.seeOther(InvitationPages.PATH + Exchange.encode(invitation.secret()));
        } catch (PalyraException e) {
            refuse(exchange, e);
        } catch (IllegalArgumentException e) {
            page(exchange, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        }
    }

    private void signOut(Exchange exchange) {
        calls.signOut(exchange);
        exchange.seeOther("/console/sign-in");
    }
}
