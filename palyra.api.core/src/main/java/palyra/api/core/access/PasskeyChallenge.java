package palyra.api.core.access;

import java.util.List;
import palyra.api.Require;

/**
 * A question to an authenticator. It is answered once, within five minutes.
 *
 * @param challenge 32 random bytes, base64url
 * @param relyingParty host that the passkey is bound to
 * @param userId for a new passkey: opaque id of the account, base64url; empty otherwise
 * @param userName for a new passkey: name of the account; empty otherwise
 * @param known credential ids: for a new passkey those that the account has; to prove again, those
 *     that count; empty at the sign-in, where the authenticator says which it has
 */
public record PasskeyChallenge(
        String challenge, String relyingParty, String userId, String userName, List<String> known) {
    /** Checks and copies. */
    public PasskeyChallenge {
        Require.text(challenge, "challenge");
        Require.text(relyingParty, "relying party");
        userId = Require.orEmpty(userId);
        userName = Require.orEmpty(userName);
        known = List.copyOf(known);
    }
}
