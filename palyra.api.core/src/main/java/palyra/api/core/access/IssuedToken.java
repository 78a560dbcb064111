package palyra.api.core.access;

import palyra.api.Require;

/**
 * A token that was just made.
 *
 * @param secret the token itself: shown once, stored nowhere
 */
public record IssuedToken(TokenView token, String secret) {
    /** Checks. */
    public IssuedToken {
        Require.present(token, "token");
        Require.text(secret, "secret");
    }

    @Override
    public String toString() {
        return "IssuedToken[" + token.tokenId() + ", secret withheld]";
    }
}
