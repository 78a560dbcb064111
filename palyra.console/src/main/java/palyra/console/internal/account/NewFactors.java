package palyra.console.internal.account;

import palyra.api.Require;
import palyra.api.core.access.NewFactor;
import palyra.console.internal.web.Exchange;

/** The factor that a form carries: a passkey made by the script, or a password entered twice. */
final class NewFactors {
    private NewFactors() {}

    static NewFactor of(Exchange exchange, AccountCalls calls) {
        if (!exchange.parameter("new_attestation").isEmpty()) {
            return new NewFactor.Passkey(
                    exchange.parameter("label"),
                    exchange.parameter("new_client"),
                    exchange.parameter("new_attestation"));
        }
        calls.requirePasswords();
        String password = exchange.parameter("password");
        Require.that(
                password.equals(exchange.parameter("again")),
                "The two passwords are not the same; enter both again.");
        return new NewFactor.Password(password);
    }
}
