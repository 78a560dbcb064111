package palyra.transport.openai.internal.session;

import java.util.Optional;
import palyra.api.access.Principal;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * Finds the session that a request goes on with: by the previous response, a header, the client's
 * name of its user, and at last the transcript. Thread-safe.
 */
public final class Places {
    private static final String PRINTABLE = "[\\x21-\\x7e&&[^#]]{1,100}";

    private final Gate<Journal> journal;
    private final Gate<Runs> runs;
    private final TranscriptStore transcripts;
    private final Occupancy occupancy;
    private final Lanes lanes = new Lanes();

    /** Creates a finder. */
    public Places(Gate<Journal> journal, Gate<Runs> runs, TranscriptStore transcripts) {
        this.journal = journal;
        this.runs = runs;
        this.transcripts = transcripts;
        this.occupancy = new Occupancy(journal);
    }

    /** Uses the place that was found. */
    @FunctionalInterface
    public interface Use<R> {
        /** Puts a message there. */
        R at(Place place);
    }

    /**
     * Finds where a message goes and uses the place, while no other message is put into the same
     * session from here.
     *
     * @param header value of the header that names the session; empty for none
     * @param runId id of the run to come, which names a new session
     */
    public <R> R use(Principal principal, Ask ask, String header, String runId, Use<R> use) {
        Place first = choose(principal, ask, header, runId);
        if (first.isNew() && first.byTranscript()) {
            return use.at(first); // no other request can name it
        }
        return lanes.inTurn(
                principal.id() + "/" + nameOf(first),
                () -> {
                    Place place = choose(principal, ask, header, runId); // it may have changed
                    occupancy.requireFree(principal, place);
                    return use.at(place);
                });
    }

    /** By whatever a session is found, its name is the same. */
    private String nameOf(Place place) {
        return place.sessionId().isEmpty()
                ? place.sessionKey()
                : session(place.sessionId())
                        .map(SessionView::key)
                        .filter(key -> !key.isEmpty())
                        .orElse(place.sessionId());
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

    /**
     * Refuses what came under an idempotency key whose message went to another session than this
     * request means: it would be answered for that one, and lost.
     *
     * @param before the message of the key
     */
    public void requireSame(Principal principal, Ask ask, String header, SubmittedMessage before) {
        if (!isSame(principal, ask, header, before)) {
            throw RefusedException.invalid(
                    "",
                    "The Idempotency-Key was used for a message to another session; send this one"
                            + " under a key of its own.");
        }
    }

    private boolean isSame(Principal principal, Ask ask, String header, SubmittedMessage before) {
        if (!ask.previousResponseId().isEmpty()) {
            return ResponseIds.run(ask.previousResponseId())
                    .flatMap(runId -> runs.call(front -> front.run(principal, runId)))
                    .map(
                            previous ->
                                    before.sessionId().equals(previous.sessionId())
                                            && previous.runId().compareTo(before.runId()) < 0)
                    .orElse(true); // it is gone, and the answer to it is not
        }
        if (!header.isEmpty()) {
            return before.sessionKey().equals(key(ask.model(), "chat", header));
        }
        if (!ask.user().isEmpty()) {
            return before.sessionKey().equals(key(ask.model(), "user", ask.user()));
        }
        return before.sessionKey().isEmpty()
                || before.sessionKey().startsWith(newSessions(ask.model()));
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
        if (!run.agentId().equals(ask.model())) {
            throw RefusedException.invalid(
                    "previous_response_id",
                    ask.previousResponseId()
                            + " is an answer of "
                            + run.agentId()
                            + ", and "
                            + ask.model()
                            + " is asked; ask the same model, or send the messages without"
                            + " previous_response_id.");
        }
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
}
