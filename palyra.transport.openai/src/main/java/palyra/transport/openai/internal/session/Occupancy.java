package palyra.transport.openai.internal.session;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.run.QueuedMessages;
import palyra.transport.openai.internal.http.RefusedException;

/** Tells whether a session has a run that has not ended, or a message that waits for one. */
final class Occupancy {
    private static final Set<RunState> GOING =
            EnumSet.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);
    private static final int BUSY_SECONDS = 2;

    private final Gate<Journal> journal;

    Occupancy(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Refuses a message for a session that is not free. */
    void requireFree(Principal principal, Place place) {
        Optional<SessionView> session =
                journal.call(
                        present ->
                                place.sessionId().isEmpty()
                                        ? present.sessionByKey(principal.id(), place.sessionKey())
                                        : present.session(place.sessionId()));
        String id = session.map(SessionView::sessionId).orElse(place.sessionId());
        String key = session.map(SessionView::key).orElse(place.sessionKey());
        // the queue first: a message leaves it for a run
        if (QueuedMessages.any(journal, principal.id(), message -> isFor(message, id, key))
                || isGoing(id)) {
            throw busy(
                    "A run of this session has not ended; wait for its answer, or cancel it, before"
                            + " the next message.");
        }
    }

    static RefusedException busy(String message) {
        return RefusedException.later(409, "session_busy", message, BUSY_SECONDS);
    }

    private boolean isGoing(String sessionId) {
        return !sessionId.isEmpty()
                && !journal.call(present -> present.runsIn(GOING, sessionId, "", 1)).isEmpty();
    }

    private static boolean isFor(SubmittedMessage message, String sessionId, String sessionKey) {
        return (!sessionId.isEmpty() && sessionId.equals(message.sessionId()))
                || (!sessionKey.isEmpty() && sessionKey.equals(message.sessionKey()));
    }
}
