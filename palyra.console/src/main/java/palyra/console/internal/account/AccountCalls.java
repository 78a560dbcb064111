package palyra.console.internal.account;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Accounts;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.IssuedSession;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.console.internal.Seams;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Exchange;

/**
 * What the account pages call: a permission first, then the accounts, each in a lease of its own.
 */
public final class AccountCalls {
    private static final Logger LOG = LoggerFactory.getLogger(AccountCalls.class);

    private final Seams seams;
    private final Sessions sessions;
    private final Origins origins;
    private final Supplier<ConsoleSettings> settings;

    /** Creates the calls. */
    public AccountCalls(
            Seams seams, Sessions sessions, Origins origins, Supplier<ConsoleSettings> settings) {
        this.seams = seams;
        this.sessions = sessions;
        this.origins = origins;
        this.settings = settings;
    }

    Seams seams() {
        return seams;
    }

    ConsoleSettings settings() {
        return settings.get();
    }

    <R> R accounts(Function<Accounts, R> call) {
        return seams.accounts().call(call);
    }

    SignInClient client(Exchange exchange) {
        return origins.client(exchange.request());
    }

    /** Returns the secret of the session; there is one on routes that need it. */
    static String secret(HttpServletRequest request) {
        return Sessions.secret(request).orElseThrow();
    }

    /** Puts a session into the browser in place of the one that it had. */
    void begin(Exchange exchange, IssuedSession issued) {
        if (exchange.signedIn()) {
            endQuietly(exchange);
        }
        sessions.begin(exchange.response(), issued);
    }

    /** A session that cannot be ended now ends by itself; the browser forgets it anyway. */
    private void endQuietly(Exchange exchange) {
        try {
            end(exchange.principal(), exchange.viewer().session());
        } catch (PalyraException e) {
            LOG.info("The earlier session of a browser could not be ended: {}", e.getMessage());
        }
    }

    /** Ends the session of the request and takes it out of the browser. */
    void signOut(Exchange exchange) {
        end(exchange.principal(), exchange.viewer().session());
        sessions.end(exchange.response());
    }

    void end(Principal caller, ConsoleSession session) {
        String owner = session.principal().id();
        Authorized permit =
                change(caller, "access.session.end", "token:" + session.sessionId(), owner);
        seams.accounts().run(accounts -> accounts.endSession(permit, owner));
    }

    /** Returns the permission of the viewer for the own account. */
    Authorized own(Exchange exchange, String action) {
        String id = exchange.principal().id();
        return change(exchange.principal(), action, "principal:" + id, id);
    }

    private Authorized change(Principal caller, String action, String resource, String owner) {
        AccessRequest request = new AccessRequest(caller, action, resource, owner, Map.of());
        return seams.access().call(access -> access.authorize(request));
    }

    private Permit read(Exchange exchange, String action) {
        String id = exchange.principal().id();
        AccessRequest request =
                new AccessRequest(exchange.principal(), action, "principal:" + id, id, Map.of());
        return seams.access().call(access -> access.authorizeRead(request));
    }

    AccountView account(Exchange exchange) {
        Permit permit = read(exchange, "access.account.read");
        return accounts(accounts -> accounts.account(permit));
    }

    List<ConsoleSession> sessions(Exchange exchange) {
        Permit permit = read(exchange, "access.session.list");
        return accounts(accounts -> accounts.sessions(permit));
    }

    void requirePasswords() {
        if (!settings().passwords()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Passwords do not count here (passwordSignIn of palyra.console); use a"
                            + " passkey.");
        }
    }

    /** Returns the proof of a sign-in form: the passkey's answer when there is one. */
    SignInProof proof(Exchange exchange) {
        if (!exchange.parameter("prove_id").isEmpty()) {
            return new SignInProof.Passkey(
                    exchange.parameter("prove_id"),
                    exchange.parameter("prove_client"),
                    exchange.parameter("prove_data"),
                    exchange.parameter("prove_signature"));
        }
        requirePasswords();
        return new SignInProof.Password(
                exchange.parameter("account"), exchange.parameter("password"));
    }
}
