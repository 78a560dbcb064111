package palyra.api.core.access;

import java.util.Set;
import palyra.api.Require;

/**
 * An API token without its secret.
 *
 * @param tokenId ULID
 * @param label what people call it
 * @param principal whom it speaks for
 * @param groups groups of that principal
 * @param scopes actions it is limited to; empty means no further limit
 * @param createdAtMillis unix time in milliseconds
 * @param expiresAtMillis unix time in milliseconds; 0 means never
 * @param revokedAtMillis unix time in milliseconds; 0 while it is valid
 */
public record TokenView(
        String tokenId,
        String label,
        String principal,
        Set<String> groups,
        Set<String> scopes,
        long createdAtMillis,
        long expiresAtMillis,
        long revokedAtMillis) {
    /** Checks and copies. */
    public TokenView {
        Require.text(tokenId, "token id");
        label = Require.orEmpty(label);
        Require.text(principal, "principal");
        groups = Set.copyOf(groups);
        scopes = Set.copyOf(scopes);
    }
}
