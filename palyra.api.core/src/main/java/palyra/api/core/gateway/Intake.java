package palyra.api.core.gateway;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;

/**
 * Where accepted messages become runs, without a detour through the inbox while the gateway is
 * there.
 */
@ProviderType
public interface Intake {
    /**
     * Routes a message and commits, in one unit: the inbox entry as ROUTED, the session if it is
     * new, the run, and the first records of its tape. When the same surface and dedupe key were
     * accepted before, returns what became of that message.
     *
     * @param inbox the entry to write, state QUEUED; its payload is the canonical JSON of the
     *     message, with placeholders for secrets in it, and of the groups of its principal
     * @param message the message as it came
     * @param records operations to commit with it, such as the record of the permit
     * @throws palyra.api.PalyraException NOT_FOUND for an unknown session or agent,
     *     RESOURCE_EXHAUSTED when the queue is full, IDEMPOTENCY_MISMATCH, GATEWAY_UNAVAILABLE also
     *     while earlier messages for its session wait in the inbox, where this one has to go behind
     *     them; nothing was accepted then
     */
    Submission accept(InboxRow inbox, SubmittedMessage message, List<Operation> records);

    /**
     * Finds a session, or makes it, and commits {@code records} with what it changes.
     *
     * @throws palyra.api.PalyraException NOT_FOUND, CONFLICT when a reset meets a run that is going
     */
    ResolvedSession resolveSession(String principal, SessionQuery query, List<Operation> records);

    /** Returns how many runs are being worked on. */
    int activeRuns();

    /**
     * Returns what fails again and again and was set aside for now, oldest first; empty when
     * nothing is. Must not block.
     */
    default List<Setback> setbacks() {
        return List.of();
    }
}
