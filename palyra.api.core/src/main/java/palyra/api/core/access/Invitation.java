package palyra.api.core.access;

import palyra.api.Require;

/**
 * The right to choose the first factor of an account, or another one, once.
 *
 * @param secret goes into the link; shown once, stored nowhere
 * @param expiresAtMillis unix time in milliseconds
 */
public record Invitation(AccountView account, String secret, long expiresAtMillis) {
    /** Checks. */
    public Invitation {
        Require.present(account, "account");
        Require.text(secret, "secret");
    }

    @Override
    public String toString() {
        return "Invitation[" + account.name() + ", secret withheld]";
    }
}
