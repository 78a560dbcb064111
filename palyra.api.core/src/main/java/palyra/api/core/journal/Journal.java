package palyra.api.core.journal;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The durable store of sessions, runs, tapes, messages, approvals and documents.
 *
 * <p>Thread-safe. Reading sees everything that was committed before. Every method may throw {@link
 * palyra.api.PalyraException} with JOURNAL_UNAVAILABLE, DISK_FULL, READ_ONLY or CORRUPT;
 * acknowledged changes stay.
 *
 * <p>A change has one of three outcomes. It returned: it happened, durably. It threw any code but
 * OUTCOME_UNKNOWN: it did not happen and never will. It threw OUTCOME_UNKNOWN: it may have happened
 * or may still happen; hand the same unit in again with the same idempotency key or step, or look
 * for what it would have changed. The store settles a commit that the medium did not confirm by
 * itself as soon as it can read the medium again, so that the third outcome is rare.
 */
@ProviderType
public interface Journal extends JournalReader {
    /**
     * Applies a unit and returns when it is durable (written and synced). Waits its turn for at
     * most 10 seconds.
     *
     * @throws palyra.api.PalyraException CONFLICT, STALE_EPOCH, NOT_FOUND, ALREADY_EXISTS,
     *     IDEMPOTENCY_MISMATCH as the unit's parts say; RESOURCE_EXHAUSTED when the writer's queue
     *     is full: nothing happened, try again; TIMED_OUT when the unit was withdrawn because its
     *     turn did not come in time: nothing happened; OUTCOME_UNKNOWN when the caller stopped
     *     waiting for a unit that was being written
     */
    Committed commit(Unit unit);

    /**
     * Hands in a unit. The stage completes when it is durable or refused, on a thread of the
     * journal's callback pool and never on the writer; keep what hangs on it short. Units handed in
     * by one thread to one lane are applied in that order.
     */
    CompletionStage<Committed> submit(Unit unit);

    /**
     * Takes a lease, or renews it when {@code owner} holds it already. Its time goes on while the
     * store is open, by a clock that does not jump.
     *
     * @param ttlMillis 1,000 to 600,000
     * @throws palyra.api.PalyraException CONFLICT, naming the holder, while another owner holds it
     *     and it has not expired
     */
    Lease takeLease(String name, String owner, long ttlMillis);

    /**
     * Gives a lease back; nothing happens when {@code owner} does not hold it. The epoch stays used
     * up.
     */
    void releaseLease(String name, String owner);

    /** Returns the status of the store; works in every state. */
    JournalStatus status();
}
