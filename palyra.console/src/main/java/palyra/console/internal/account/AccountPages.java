package palyra.console.internal.account;

import java.io.IOException;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/**
 * The person's own account: sessions, passkeys, password. What opens a way in asks for a factor.
 */
public final class AccountPages {
    /**
     * What the page shows.
     *
     * @param current id of the session that looks
     * @param done what was done just now; empty for nothing
     * @param problem why it was not; empty for nothing
     */
    public record View(
            AccountView account,
            List<ConsoleSession> sessions,
            String current,
            boolean passwords,
            String done,
            String problem) {}

    private static final String PAGE = "/console/account";
    private static final String CHANGE = "access.factor.change";

    /** A change of the page. */
    @FunctionalInterface
    private interface Change {
        String make(Exchange exchange);
    }

    private final AccountCalls calls;

    /** Creates the pages. */
    public AccountPages(AccountCalls calls) {
        this.calls = calls;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get(PAGE, exchange -> page(exchange, 200, done(exchange), ""));
        router.post(PAGE + "/password", exchange -> change(exchange, this::setFactor));
        router.post(PAGE + "/passkey", exchange -> change(exchange, this::setFactor));
        router.post(PAGE + "/passkey/rename", exchange -> change(exchange, this::rename));
        router.post(PAGE + "/passkey/remove", exchange -> change(exchange, this::remove));
        router.post(PAGE + "/session/end", exchange -> change(exchange, this::endSession));
        router.post(PAGE + "/session/end-others", exchange -> change(exchange, this::endOthers));
    }

    private static String done(Exchange exchange) {
        return switch (exchange.parameter("done")) {
            case "password" -> "The password is set. Other sessions go on until you end them.";
            case "passkey" -> "The passkey is added.";
            case "renamed" -> "The passkey has another name.";
            case "removed" -> "The passkey is removed.";
            case "ended" -> "The session has ended.";
            case "others" -> "Every other session has ended.";
            default -> "";
        };
    }

    private void page(Exchange exchange, int status, String done, String problem)
            throws IOException {
        exchange.page(
                status,
                "Account",
                "page/account.jte",
                new View(
                        calls.account(exchange),
                        calls.sessions(exchange),
                        exchange.viewer().session().sessionId(),
                        calls.settings().passwords(),
                        done,
                        problem));
    }

    private void change(Exchange exchange, Change change) throws IOException {
        try {
            exchange.seeOther(PAGE + "?done=" + change.make(exchange));
        } catch (PalyraException e) {
            boolean ofTheForm =
                    e.code() == ErrorCode.INVALID_ARGUMENT
                            || e.code() == ErrorCode.UNAUTHENTICATED
                            || e.code() == ErrorCode.RESOURCE_EXHAUSTED
                            || e.code() == ErrorCode.CONFLICT
                            || e.code() == ErrorCode.NOT_FOUND;
            if (!ofTheForm) {
                throw e;
            }
            page(exchange, 422, "", e.getMessage());
        }
    }

    private String setFactor(Exchange exchange) {
        exchange.requireRecentFactor();
        NewFactor factor = NewFactors.of(exchange, calls);
        SignInClient client = calls.client(exchange);
        String secret = AccountCalls.secret(exchange.request());
        Authorized permit = calls.own(exchange, CHANGE);
        calls.accounts(accounts -> accounts.change(permit, secret, factor, client));
        return factor instanceof NewFactor.Passkey ? "passkey" : "password";
    }

    private String rename(Exchange exchange) {
        Authorized permit = calls.own(exchange, CHANGE);
        String label = exchange.parameter("label");
        calls.accounts(
                accounts -> accounts.renamePasskey(permit, exchange.parameter("passkey"), label));
        return "renamed";
    }

    private String remove(Exchange exchange) {
        exchange.requireRecentFactor();
        Authorized permit = calls.own(exchange, CHANGE);
        calls.accounts(accounts -> accounts.removePasskey(permit, exchange.parameter("passkey")));
        return "removed";
    }

    private String endSession(Exchange exchange) {
        String id = exchange.parameter("session");
        ConsoleSession session =
                calls.sessions(exchange).stream()
                        .filter(each -> each.sessionId().equals(id))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "You have no such session any more."));
        calls.end(exchange.principal(), session);
        return "ended";
    }

    private String endOthers(Exchange exchange) {
        String current = exchange.viewer().session().sessionId();
        calls.sessions(exchange).stream()
                .filter(each -> !each.sessionId().equals(current))
                .forEach(each -> calls.end(exchange.principal(), each));
        return "others";
    }
}
