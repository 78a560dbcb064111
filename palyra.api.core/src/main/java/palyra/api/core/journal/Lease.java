package palyra.api.core.journal;

import palyra.api.Require;

/**
 * The right to be the only one of a name, for a while.
 *
 * @param name name of the lease, such as {@code engine}
 * @param owner who holds it
 * @param epoch rises by at least one each time the owner changes, over all restarts
 * @param expiresAtMillis unix time in milliseconds by the store's clock
 * @param abandoned whether the owner before this one did not give it back: its process died, or it
 *     could not reach the store
 */
public record Lease(
        String name, String owner, long epoch, long expiresAtMillis, boolean abandoned) {
    /** Makes a lease that was free or given back before. */
    public Lease(String name, String owner, long epoch, long expiresAtMillis) {
        this(name, owner, epoch, expiresAtMillis, false);
    }

    /** Checks. */
    public Lease {
        Require.text(name, "lease name");
        Require.text(owner, "lease owner");
    }
}
