package palyra.gateway.internal.engine.lease;

import palyra.api.core.journal.Precondition;

/** The right to be the only engine, as everything that an engine does must have it. */
public interface Fence {
    /** Returns the number of this right; that of whoever has it later is higher. */
    long epoch();

    /** Returns what every write needs. */
    Precondition held();

    /**
     * Makes sure, before something that is no write, that nobody else can have the right now.
     * Mostly known without asking.
     *
     * @throws palyra.api.PalyraException STALE_EPOCH when somebody else has it; otherwise what the
     *     journal says when it cannot be asked
     */
    void confirm();
}
