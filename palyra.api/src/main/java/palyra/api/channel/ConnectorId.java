package palyra.api.channel;

import palyra.api.Require;

/**
 * Which connector it is: a platform and one account there. Its text form {@code kind:account} is
 * the surface of its messages, part of the principal of each sender, and what commands call it.
 *
 * @param kind platform, such as {@code telegram}: a letter, then up to 31 of {@code [a-z0-9-]}
 * @param account operator's name for the account: 1 to 32 of {@code [A-Za-z0-9._-]}
 */
public record ConnectorId(String kind, String account) {
    /** Checks. */
    public ConnectorId {
        Require.that(
                kind != null && kind.matches("[a-z][a-z0-9-]{0,31}"),
                "kind of connector '"
                        + kind
                        + "' is not usable: a letter, then up to 31 of a-z, 0-9 and -");
        Require.that(
                account != null && account.matches("[A-Za-z0-9._-]{1,32}"),
                "account of a connector '"
                        + account
                        + "' is not usable: 1 to 32 of letters, digits and . _ -");
    }

    /** Reads {@code kind:account}. INVALID_ARGUMENT otherwise. */
    public static ConnectorId parse(String text) {
        int colon = Require.orEmpty(text).indexOf(':');
        Require.that(colon > 0, "'" + text + "' is no connector: write KIND:ACCOUNT");
        return new ConnectorId(text.substring(0, colon), text.substring(colon + 1));
    }

    /** Returns {@code kind:account}. */
    @Override
    public String toString() {
        return kind + ":" + account;
    }
}
