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
import palyra.api.core.journal.RunLoss;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Following;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.outcome.Commits;
import palyra.shared.sealed.Reaches;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretKeeper;
import palyra.shared.secrets.SecretNumbers;

/** The front that surfaces use, without any framework. Thread-safe. */
public final class RunFront implements Runs, AutoCloseable {
    private static final int MOST_RECORDS = 1_000;
    private static final long ABSENT_MILLIS = 5_000;
    private static final int LONGEST_REASON = 1_000;
    private static final Set<RunState> GOING =
            EnumSet.of(
                    RunState.ACCEPTED,
                    RunState.RUNNING,
                    RunState.AWAITING_APPROVAL,
                    RunState.QUARANTINED);

    private final Ownership ownership;
    private final Gate<Journal> journal;
    private final Redactor redactor;
    private final Submissions submissions;
    private final SessionFront sessions;
    private final ExternalEvents events;
    private final Followers followers;
    private final Waits waits;
    private final Ulids ids = new Ulids();
    private volatile FrontSettings settings;

    /** Creates a front; {@code access} is called directly, the others through their gates. */
    public RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings) {
        this(access, journal, feed, intake, settings, withoutVault(journal), ABSENT_MILLIS);
    }

    /** Creates a front that keeps the secrets of events sealed. */
    RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings,
            SecretKeeper secrets) {
        this(access, journal, feed, intake, settings, secrets, ABSENT_MILLIS);
    }

    RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings,
            long absentMillis) {
        this(access, journal, feed, intake, settings, withoutVault(journal), absentMillis);
    }

    /** Knows the looks of secrets, and refuses an event that holds one, having no keys. */
    private static SecretKeeper withoutVault(Gate<Journal> journal) {
        return new SecretKeeper(
                Redactor.withoutVault(),
                journal,
                new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0));
    }

    private RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings,
            SecretKeeper secrets,
            long absentMillis) {
        this.settings = settings;
        this.redactor = secrets.redactor();
        this.ownership = new Ownership(access);
        this.journal = journal;
        this.submissions =
                new Submissions(
                        access, journal, intake, () -> this.settings.queueLimit(), ids, redactor);
        this.sessions = new SessionFront(access, journal, intake, absentMillis);
        this.events = new ExternalEvents(journal, secrets);
        this.waits = new Waits(journal, intake);
        this.followers = new Followers(journal, feed, waits, () -> this.settings.maxFollowers());
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
        String said = Require.orEmpty(reason);
        Require.that(
                said.length() <= LONGEST_REASON
                        && StandardCharsets.UTF_8.newEncoder().canEncode(said),
                "the reason is no text of at most " + LONGEST_REASON + " characters");
        String why =
                redactor.within(Reaches.of(principal.id(), principal.groups(), "", ""))
                        .text(said, SecretNumbers.fresh());
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(principal, "run.cancel", thing(runId, row), Map.of("reason", why));
        if (row.orElseThrow().state().terminal()) {
            return false;
        }
        try {
            Unit unit = cancellation(principal, runId, why, authorized);
            Commits.commit(journal, unit);
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return false; // it ended meanwhile
            }
            throw e;
        }
    }

    @Override
    public boolean retry(Principal principal, String runId) {
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(principal, "run.retry", thing(runId, row), Map.of());
        if (row.orElseThrow().state() != RunState.QUARANTINED) {
            return false;
        }
        Unit unit =
                Unit.builder()
                        .require(new Precondition.RunIn(runId, EnumSet.of(RunState.QUARANTINED)))
                        .add(
                                new Operation.PutCommand(
                                        command(
                                                CommandRow.RETRY_RUN,
                                                runId,
                                                principal,
                                                Jcs.bytes(JsonNodeFactory.instance.objectNode()))))
                        .add(authorized.record())
                        .build();
        Commits.commit(journal, unit);
        return true;
    }

    private CommandRow command(String kind, String runId, Principal principal, byte[] payload) {
        return new CommandRow(
                ids.next(),
                kind,
                runId,
                principal.id(),
                payload,
                false,
                "",
                System.currentTimeMillis());
    }

    /** Asking twice is asking once: a run needs one cancellation, whoever asks. */
    private Unit cancellation(
            Principal principal, String runId, String reason, Authorized authorized) {
        byte[] payload = Jcs.bytes(JsonNodeFactory.instance.objectNode().put("reason", reason));
        CommandRow row = command(CommandRow.CANCEL_RUN, runId, principal, payload);
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
        return appendEvent(principal, runId, eventId, kind, contentJson, "");
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal,
            String runId,
            String eventId,
            String kind,
            String contentJson,
            String actor) {
        String caused = Require.orEmpty(actor);
        String id = Require.orEmpty(eventId).isEmpty() ? ids.next() : eventId;
        ExternalEvents.require(id, kind, contentJson, caused);
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(
                        principal,
                        "event.append",
                        thing(runId, row),
                        Map.of("eventId", id, "kind", kind));
        return events.append(
                principal, row.orElseThrow(), id, kind, contentJson, caused, authorized);
    }

    @Override
    public Optional<RunView> run(Principal principal, String runId) {
        Optional<RunRow> row = row(principal, runId);
        return ownership.readable(principal, "run.read", thing(runId, row))
                ? row.map(waits::view)
                : Optional.empty();
    }

    @Override
    public List<RunView> runs(
            Principal principal, String sessionId, String beforeRunId, int limit) {
        Pages.requireLimit(limit, Pages.MOST);
        String owner = ownership.listOwner(principal, "run.list");
        String session = Pages.idOrEmpty(sessionId, "session id");
        String before = Pages.idOrEmpty(beforeRunId, "run id");
        return journal.call(present -> present.runs(owner, session, before, limit)).stream()
                .map(waits::view)
                .toList();
    }

    @Override
    public List<SessionView> sessions(
            Principal principal,
            String text,
            String beforeSessionId,
            int limit,
            boolean includeArchived) {
        return sessions.list(principal, text, beforeSessionId, limit, includeArchived);
    }

    @Override
    public Optional<SessionView> session(Principal principal, String sessionId) {
        return sessions.find(principal, sessionId);
    }

    @Override
    public ResolvedSession resolveSession(Principal principal, SessionQuery query) {
        return sessions.resolve(
                Require.present(principal, "principal"), Require.present(query, "session query"));
    }

    @Override
    public SessionView archiveSession(Principal principal, String sessionId) {
        return sessions.archive(principal, sessionId);
    }

    @Override
    public List<TapeRecord> tape(Principal principal, String runId, long afterSeq, int limit) {
        Pages.requireLimit(limit, MOST_RECORDS);
        Require.that(afterSeq >= 0, "a tape is read from 0 or a sequence number, not " + afterSeq);
        ownership.read(principal, "tape.read", thing(runId, row(principal, runId)));
        return journal.call(present -> present.tape(runId, afterSeq, limit));
    }

    /** A position beyond the tape is refused: it is of another run, or of another journal. */
    @Override
    public Following follow(
            Principal principal, String runId, RunPosition from, RunObserver observer) {
        Require.present(from, "position");
        Require.present(observer, "observer");
        Optional<RunRow> row = row(principal, runId);
        ownership.read(principal, "run.read", thing(runId, row));
        long head = row.orElseThrow().headSeq();
        Require.that(
                from.seq() <= head,
                "run "
                        + runId
                        + " was to be followed after record "
                        + from.seq()
                        + ", but its tape ends at "
                        + head
                        + "; follow it from 0");
        return followers.follow(runId, from, observer);
    }

    /** Throws CORRUPT for a run that was accepted and whose row is lost, if it may be known of. */
    private Optional<RunRow> row(Principal principal, String runId) {
        Ulids.require(runId, "run id");
        Optional<RunRow> row = journal.call(present -> present.run(runId));
        if (row.isEmpty()) {
            journal.call(present -> present.loss(runId))
                    .filter(loss -> ownership.readable(principal, "run.read", thing(loss)))
                    .ifPresent(RunFront::refuse);
        }
        return row;
    }

    private static Ownership.Thing thing(RunLoss loss) {
        return new Ownership.Thing("run", loss.runId(), Optional.of(loss.principal()));
    }

    private static void refuse(RunLoss loss) {
        throw new PalyraException(ErrorCode.CORRUPT, loss.sentence());
    }

    private static Ownership.Thing thing(String runId, Optional<RunRow> row) {
        return new Ownership.Thing("run", runId, row.map(RunRow::principal));
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
