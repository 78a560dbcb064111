package palyra.transport.openai.internal.session;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * Finds the session that a request goes on with: by the previous response, a header, the client's
 * name of its user, and at last the transcript. Thread-safe.
 */
public final class Places {
    private static final Set<RunState> GOING =
            EnumSet.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);
    private static final String PRINTABLE = "[\\x21-\\x7e&&[^#]]{1,100}";
    private static final int BUSY_SECONDS = 2;

    private final Gate<Journal> journal;
    private final Gate<Runs> runs;
    private final TranscriptStore transcripts;

    /** Creates a finder. */
    public Places(Gate<Journal> journal, Gate<Runs> runs, TranscriptStore transcripts) {
        this.journal = journal;
        this.runs = runs;
        this.transcripts = transcripts;
    }

    /**
     * Returns where a message goes.
     *
     * @param header value of the header that names the session; empty for none
     * @param runId id of the run to come, which names a new session
     */
    public Place find(Principal principal, Ask ask, String header, String runId) {
        Place place = choose(principal, ask, header, runId);
        requireFree(principal, place);
        return place;
    }

    private Place choose(Principal principal, Ask ask, String header, String runId) {
        if (!ask.previousResponseId().isEmpty()) {
            return new Place(previous(principal, ask), "", false, false, "");
        }
        if (!header.isEmpty()) {
            return named(principal, key(ask.model(), "chat", header));
        }
        if (!ask.user().isEmpty()) {
            return named(principal, key(ask.model(), "user", ask.user()));
        }
        String fingerprint = Transcript.fingerprint(ask.model(), ask.earlier());
        Optional<SessionView> found =
                ask.earlier().isEmpty()
                        ? Optional.empty()
                        : transcripts
                                .session(principal.id(), fingerprint)
                                .flatMap(this::session)
                                .filter(each -> isOwn(principal, each));
        return found.map(each -> new Place(each.sessionId(), "", false, true, fingerprint))
                .orElseGet(() -> new Place("", key(ask.model(), "run", runId), true, true, ""));
    }

    private Place named(Principal principal, String key) {
        boolean known =
                journal.call(present -> present.sessionByKey(principal.id(), key)).isPresent();
        return new Place("", key, !known, false, "");
    }

    /** Returns how the keys of sessions begin that are found by their transcript. */
    public static String newSessions(String agentId) {
        return key(agentId, "run", "");
    }

    /** Agent ids hold no colon, so no two names make the same key. */
    static String key(String agentId, String kind, String name) {
        return "openai:"
                + agentId
                + ":"
                + kind
                + ":"
                + (name.isEmpty() || name.matches(PRINTABLE)
                        ? name
                        : "#" + Digests.sha256Hex(name));
    }

    private Optional<SessionView> session(String sessionId) {
        return journal.call(present -> present.session(sessionId));
    }

    private static boolean isOwn(Principal principal, SessionView session) {
        return session.principal().equals(principal.id()) && session.archivedAtMillis() == 0;
    }

    private String previous(Principal principal, Ask ask) {
        RunView run = require(runs, principal, ask.previousResponseId());
        SessionView session =
                session(run.sessionId())
                        .filter(each -> isOwn(principal, each))
                        .orElseThrow(() -> unknown(ask.previousResponseId()));
        if (!session.lastRunId().equals(run.runId())) {
            throw RefusedException.invalid(
                    "previous_response_id",
                    ask.previousResponseId()
                            + " is not the newest response of its session, which is "
                            + ResponseIds.of(session.lastRunId())
                            + "; go on from that, or send the messages without"
                            + " previous_response_id.");
        }
        return session.sessionId();
    }

    /** Returns the run of a response; NOT_FOUND also for one of another principal. */
    public static RunView require(Gate<Runs> runs, Principal principal, String responseId) {
        String runId = ResponseIds.run(responseId).orElseThrow(() -> unknown(responseId));
        return runs.call(front -> front.run(principal, runId))
                .orElseThrow(() -> unknown(responseId));
    }

    private static RefusedException unknown(String responseId) {
        return RefusedException.notFound(
                "response_not_found",
                "",
                "There is no response "
                        + (responseId.matches("[A-Za-z0-9_-]{1,64}") ? responseId : "of that id")
                        + " of yours.");
    }

    private void requireFree(Principal principal, Place place) {
        String sessionId =
                place.sessionId().isEmpty()
                        ? journal.call(
                                        present ->
                                                present.sessionByKey(
                                                        principal.id(), place.sessionKey()))
                                .map(SessionView::sessionId)
                                .orElse("")
                        : place.sessionId();
        if (sessionId.isEmpty()) {
            return;
        }
        List<?> going = journal.call(present -> present.runsIn(GOING, sessionId, "", 1));
        if (!going.isEmpty()) {
            throw RefusedException.later(
                    409,
                    "session_busy",
                    "A run of this session has not ended; wait for its answer, or cancel it, before"
                            + " the next message.",
                    BUSY_SECONDS);
        }
    }
}
