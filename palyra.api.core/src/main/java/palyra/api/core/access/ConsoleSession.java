package palyra.api.core.access;

import palyra.api.Require;
import palyra.api.access.Principal;

/**
 * A session of a person at the console.
 *
 * @param sessionId ULID; the id of its token
 * @param account name of the account
 * @param principal whom it speaks for
 * @param factor what it began with: {@code password}, {@code passkey}, {@code invitation}
 * @param address network address that it began from
 * @param agent browser that it began from
 * @param createdAtMillis unix time in milliseconds
 * @param seenAtMillis when the person last did something, to about a minute; unix milliseconds
 * @param provenAtMillis when the person last showed a factor; unix milliseconds
 * @param expiresAtMillis when it ends at the latest; unix milliseconds
 */
public record ConsoleSession(
        String sessionId,
        String account,
        Principal principal,
        String factor,
        String address,
        String agent,
        long createdAtMillis,
        long seenAtMillis,
        long provenAtMillis,
        long expiresAtMillis) {
    /** Checks. */
    public ConsoleSession {
        Require.text(sessionId, "session id");
        Require.text(account, "account name");
        Require.present(principal, "principal");
        factor = Require.orEmpty(factor);
        address = Require.orEmpty(address);
        agent = Require.orEmpty(agent);
    }
}
