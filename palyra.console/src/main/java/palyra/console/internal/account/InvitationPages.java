package palyra.console.internal.account;

import java.io.IOException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The link of an invitation: the person chooses a passkey or a password. */
public final class InvitationPages {
    /** Where the links lead. */
    static final String PATH = "/console/invitation/";

    /** What the page shows. */
    public record View(AccountView account, String secret, String problem, boolean passwords) {}

    private final AccountCalls calls;

    /** Creates the pages. */
    public InvitationPages(AccountCalls calls) {
        this.calls = calls;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.open("GET", PATH + "{secret}", this::show);
        router.open("POST", PATH + "{secret}", this::accept);
    }

    private void show(Exchange exchange) throws IOException {
        page(exchange, 200, "");
    }

    private void page(Exchange exchange, int status, String problem) throws IOException {
        String secret = exchange.segment("secret");
        AccountView account = calls.accounts(accounts -> accounts.invited(secret));
        exchange.page(
                status,
                "Welcome",
                "page/invitation.jte",
                new View(account, secret, problem, calls.settings().passwords()));
    }

    private void accept(Exchange exchange) throws IOException {
        String secret = exchange.segment("secret");
        SignInClient client = calls.client(exchange);
        try {
            NewFactor factor = NewFactors.of(exchange, calls);
            calls.begin(
                    exchange,
                    calls.accounts(
                            accounts ->
                                    accounts.accept(
                                            secret, factor, client, calls.settings().times())));
        } catch (PalyraException e) {
            boolean ofTheForm =
                    e.code() == ErrorCode.INVALID_ARGUMENT
                            || e.code() == ErrorCode.RESOURCE_EXHAUSTED
                            || e.code() == ErrorCode.UNAUTHENTICATED;
            if (!ofTheForm) {
                throw e;
            }
            page(exchange, 422, e.getMessage());
            return;
        }
        exchange.seeOther("/console/");
    }
}
