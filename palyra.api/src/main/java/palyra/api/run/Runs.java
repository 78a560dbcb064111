package palyra.api.run;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.tape.TapeRecord;

/**
 * Submits, follows and cancels runs; the entry point of surfaces and connectors. Every call is
 * authorized for the principal first, and every change is recorded with its permit. It needs only
 * access control and the journal, so messages and cancellations are accepted while the gateway is
 * being replaced.
 *
 * <p>Thread-safe. Every method may throw {@link palyra.api.PalyraException}: DENIED, NOT_FOUND
 * (also for objects of another principal), INVALID_ARGUMENT, RESOURCE_EXHAUSTED (queues are
 * bounded), JOURNAL_UNAVAILABLE.
 */
@ProviderType
public interface Runs {
    /** Accepts a message, durably. */
    Submission submit(Principal principal, SubmittedMessage message);

    /**
     * Accepts a message of a connector, and keeps in the same unit of the journal where the
     * connector is in its platform's stream of events; a message that was accepted before keeps
     * none.
     *
     * @param position what {@link palyra.api.channel.ConnectorContext#keepPosition} takes; empty
     *     leaves the position as it is
     */
    Submission submit(Principal principal, SubmittedMessage message, byte[] position);

    /**
     * Accepts a message of a connector, and reacts to it in the same unit of the journal; reactions
     * show what becomes of it.
     *
     * @param reactTo the platform's id of the message; empty for no reaction. It has an origin then
     */
    default Submission submit(
            Principal principal, SubmittedMessage message, byte[] position, String reactTo) {
        return submit(principal, message, position);
    }

    /** Returns the current submission of an accepted message. */
    Submission submission(Principal principal, String messageId);

    /**
     * Cancels a run, durably. Returns whether it was still active; cancelling an ended run is not
     * an error.
     */
    boolean cancel(Principal principal, String runId, String reason);

    /** Retries a QUARANTINED run, durably. Returns whether the run was quarantined. */
    boolean retry(Principal principal, String runId);

    /**
     * Appends an event to a run's tape. When the run has ended, it becomes an event of the journal
     * that refers to the run.
     *
     * @param eventId ULID chosen by the caller: the same id with the same content is accepted once;
     *     empty means choose one
     * @param kind a word such as {@code note}
     * @param contentJson any JSON value as text, at most 65,536 bytes, kept as exact bytes
     */
    AppendedEvent appendEvent(
            Principal principal, String runId, String eventId, String kind, String contentJson);

    /**
     * Appends an event with its actor; otherwise like the method without an actor.
     *
     * @param actor {@code user} or {@code plugin}; empty means unknown. Kept with the event
     */
    default AppendedEvent appendEvent(
            Principal principal,
            String runId,
            String eventId,
            String kind,
            String contentJson,
            String actor) {
        if (!Require.orEmpty(actor).isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The actor '" + actor + "' of an event is not kept here; leave it out.");
        }
        return appendEvent(principal, runId, eventId, kind, contentJson);
    }

    /** Returns one run. */
    Optional<RunView> run(Principal principal, String runId);

    /**
     * Returns runs, newest first.
     *
     * @param sessionId only of this session; empty means of all that the principal may see
     * @param beforeRunId only older than this run; empty means from the newest
     * @param limit 1 to 500
     */
    List<RunView> runs(Principal principal, String sessionId, String beforeRunId, int limit);

    /**
     * Returns sessions, newest first.
     *
     * @param text only those whose key or label contains this, letter case of a to z ignored; empty
     *     means all
     * @param beforeSessionId only older than this session; empty means from the newest
     * @param limit 1 to 500
     */
    List<SessionView> sessions(
            Principal principal,
            String text,
            String beforeSessionId,
            int limit,
            boolean includeArchived);

    /** Returns one session. */
    Optional<SessionView> session(Principal principal, String sessionId);

    /**
     * Finds or creates a session. A reset of a default session while a run of it has not ended
     * begins another one beside it, which is the default session from then on; a reset of any other
     * session is refused with CONFLICT in that time.
     */
    ResolvedSession resolveSession(Principal principal, SessionQuery query);

    /**
     * Archives a session: its key is free again; its runs stay. Refused with CONFLICT while a run
     * of it is going.
     */
    SessionView archiveSession(Principal principal, String sessionId);

    /**
     * Returns records of a run's tape as they are stored, in order. A page has a bound of bytes
     * too, so it may have fewer than {@code limit} records while there are more: an empty page
     * alone says that nothing follows.
     *
     * @param afterSeq only those after it; 0 for all
     * @param limit 1 to 1,000
     */
    List<TapeRecord> tape(Principal principal, String runId, long afterSeq, int limit);

    /**
     * Follows a run from a position: first the recorded events after it, then live events. When the
     * position is within the text of the current attempt, the text continues there; otherwise, and
     * when the position claims more text than exists, {@link RunEvent.Dropped} says that the text
     * starts again. A position beyond the tape is refused with INVALID_ARGUMENT.
     */
    Following follow(Principal principal, String runId, RunPosition from, RunObserver observer);

    /** Follows from {@link RunPosition#after}. */
    default Following follow(
            Principal principal, String runId, long afterSeq, RunObserver observer) {
        return follow(principal, runId, RunPosition.after(afterSeq), observer);
    }
}
