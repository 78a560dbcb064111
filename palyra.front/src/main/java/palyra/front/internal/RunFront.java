package palyra.front.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Following;
import palyra.api.run.RunObserver;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;

/** The front that surfaces use, without any framework. Thread-safe. */
public final class RunFront implements Runs, AutoCloseable {
    private static final int MOST_IN_A_LIST = 500;
    private static final int LONGEST_REASON = 1_000;
    private static final Set<RunState> GOING =
            EnumSet.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);

    private final Ownership ownership;
    private final Gate<Journal> journal;
    private final Submissions submissions;
    private final ExternalEvents events;
    private final Followers followers;
    private final Ulids ids = new Ulids();
    private volatile FrontSettings settings;

    /** Creates a front; {@code access} is called directly, the others through their gates. */
    public RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings) {
        this.settings = settings;
        this.ownership = new Ownership(access);
        this.journal = journal;
        this.submissions =
                new Submissions(access, journal, intake, () -> this.settings.queueLimit(), ids);
        this.events = new ExternalEvents(journal);
        this.followers = new Followers(journal, feed, () -> this.settings.maxFollowers());
    }

    /** Changes the bounds; what goes on is not cut off. */
    public void settings(FrontSettings changed) {
        settings = changed;
    }

    @Override
    public Submission submit(Principal principal, SubmittedMessage message) {
        return submissions.submit(
                Require.present(principal, "principal"), Require.present(message, "message"));
    }

    @Override
    public Submission submission(Principal principal, String messageId) {
        return submissions.find(principal, messageId);
    }

    @Override
    public boolean cancel(Principal principal, String runId, String reason) {
        String why = Require.orEmpty(reason);
        Require.that(
                why.length() <= LONGEST_REASON
                        && StandardCharsets.UTF_8.newEncoder().canEncode(why),
                "the reason is no text of at most " + LONGEST_REASON + " characters");
        Optional<RunRow> row = row(runId);
        Authorized authorized =
                ownership.change(principal, "run.cancel", thing(runId, row), Map.of("reason", why));
        if (row.orElseThrow().state().terminal()) {
            return false;
        }
        try {
            Unit unit = cancellation(principal, runId, why, authorized);
            journal.run(present -> present.commit(unit));
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return false; // it ended meanwhile
            }
            throw e;
        }
    }

    /** Asking twice is asking once: a run needs one cancellation, whoever asks. */
    private Unit cancellation(
            Principal principal, String runId, String reason, Authorized authorized) {
        byte[] payload = Jcs.bytes(JsonNodeFactory.instance.objectNode().put("reason", reason));
        CommandRow row =
                new CommandRow(
                        ids.next(),
                        CommandRow.CANCEL_RUN,
                        runId,
                        principal.id(),
                        payload,
                        false,
                        "",
                        System.currentTimeMillis());
        return Unit.builder()
                .once(
                        new IdempotencyKey(CommandRow.CANCEL_RUN, runId, Digests.sha256Hex(runId)),
                        new byte[0])
                .require(new Precondition.RunIn(runId, GOING))
                .add(new Operation.PutCommand(row))
                .add(authorized.record())
                .build();
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal, String runId, String eventId, String kind, String contentJson) {
        String id = Require.orEmpty(eventId).isEmpty() ? ids.next() : eventId;
        ExternalEvents.require(id, kind, contentJson);
        Optional<RunRow> row = row(runId);
        Authorized authorized =
                ownership.change(
                        principal,
                        "event.append",
                        thing(runId, row),
                        Map.of("eventId", id, "kind", kind));
        return events.append(principal, row.orElseThrow(), id, kind, contentJson, authorized);
    }

    @Override
    public Optional<RunView> run(Principal principal, String runId) {
        Optional<RunRow> row = row(runId);
        return readable(principal, "run.read", thing(runId, row))
                ? row.map(RunRow::view)
                : Optional.empty();
    }

    @Override
    public List<RunView> runs(
            Principal principal, String sessionId, String beforeRunId, int limit) {
        requireLimit(limit);
        String owner = ownership.listOwner(principal, "run.list");
        String session = idOrEmpty(sessionId, "session id");
        String before = idOrEmpty(beforeRunId, "run id");
        return journal.call(present -> present.runs(owner, session, before, limit)).stream()
                .map(RunRow::view)
                .toList();
    }

    @Override
    public List<SessionView> sessions(
            Principal principal, String beforeSessionId, int limit, boolean includeArchived) {
        requireLimit(limit);
        String owner = ownership.listOwner(principal, "session.list");
        String before = idOrEmpty(beforeSessionId, "session id");
        return journal.call(present -> present.sessions(owner, before, limit, includeArchived));
    }

    @Override
    public Optional<SessionView> session(Principal principal, String sessionId) {
        Optional<SessionView> found = findSession(sessionId);
        return readable(principal, "session.read", sessionThing(sessionId, found))
                ? found
                : Optional.empty();
    }

    @Override
    public SessionView archiveSession(Principal principal, String sessionId) {
        Optional<SessionView> found = findSession(sessionId);
        Ownership.Thing thing = sessionThing(sessionId, found);
        Authorized authorized = ownership.change(principal, "session.archive", thing, Map.of());
        Unit unit = Unit.of(new Operation.ArchiveSession(sessionId), authorized.record());
        journal.run(present -> present.commit(unit));
        return findSession(sessionId).orElseThrow(thing::notFound);
    }

    @Override
    public Following follow(
            Principal principal, String runId, long afterSeq, RunObserver observer) {
        Require.present(observer, "observer");
        Require.that(
                afterSeq >= 0, "a run is followed from 0 or a sequence number, not " + afterSeq);
        ownership.read(principal, "run.read", thing(runId, row(runId)));
        return followers.follow(runId, afterSeq, observer);
    }

    private boolean readable(Principal principal, String action, Ownership.Thing thing) {
        try {
            ownership.read(principal, action, thing);
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private Optional<RunRow> row(String runId) {
        Ulids.require(runId, "run id");
        return journal.call(present -> present.run(runId));
    }

    private Optional<SessionView> findSession(String sessionId) {
        Ulids.require(sessionId, "session id");
        return journal.call(present -> present.session(sessionId));
    }

    private static Ownership.Thing thing(String runId, Optional<RunRow> row) {
        return new Ownership.Thing("run", runId, row.map(RunRow::principal));
    }

    private static Ownership.Thing sessionThing(String sessionId, Optional<SessionView> session) {
        return new Ownership.Thing("session", sessionId, session.map(SessionView::principal));
    }

    private static String idOrEmpty(String id, String what) {
        return Require.orEmpty(id).isEmpty() ? "" : Ulids.require(id, what);
    }

    private static void requireLimit(int limit) {
        Require.that(
                limit >= 1 && limit <= MOST_IN_A_LIST,
                "a list has 1 to " + MOST_IN_A_LIST + " entries; " + limit + " were asked for");
    }

    /** Returns how many runs are being followed. */
    public int following() {
        return followers.count();
    }

    /** Ends every following and waits, for a few seconds at most, until their threads are gone. */
    @Override
    public void close() {
        followers.close();
    }
}
