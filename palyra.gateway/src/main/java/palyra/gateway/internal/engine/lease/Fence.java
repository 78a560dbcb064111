package palyra.gateway.internal.engine.lease;

import palyra.api.core.journal.Precondition;

/** Fencing: the right to be the only engine, which every write of an engine requires. */
public interface Fence {
    /** Returns the epoch of this right; a later holder has a higher one. */
    long epoch();

    /** Returns what every write needs. */
    Precondition held();

    /**
     * Makes sure, before an action other than a write, that no other engine can hold the right now.
     * Mostly known without asking.
     *
     * @throws palyra.api.PalyraException STALE_EPOCH when another engine holds it; otherwise what
     *     the journal says when it cannot be asked
     */
    void confirm();
}
