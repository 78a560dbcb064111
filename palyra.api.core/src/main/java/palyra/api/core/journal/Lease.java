package palyra.api.core.journal;

import palyra.api.Require;

/**
 * The right to be the only one of a name, for a while.
 *
 * @param name what is held, such as {@code engine}
 * @param owner who holds it
 * @param epoch rises by at least one each time the owner changes, over all restarts
 * @param expiresAtMillis unix time in milliseconds by the store's clock
 */
public record Lease(String name, String owner, long epoch, long expiresAtMillis) {
    /** Checks. */
    public Lease {
        Require.text(name, "lease name");
        Require.text(owner, "lease owner");
    }
}
