package palyra.gateway.internal.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.Engine;
import palyra.gateway.internal.engine.FirstTurn;
import palyra.gateway.internal.engine.Services;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tape.TapeCodec;

/**
 * Turns messages into runs: finds or makes the session, then records message, run and, when the
 * session is free, the first turn, in one unit. A message that comes directly and one that waited
 * in the inbox take the same way. Thread-safe: the journal's preconditions decide between two
 * messages for one session.
 */
public final class Router implements Intake {
    private static final int TRIES = 5;

    private final Services services;
    private final Agents agents;
    private final Engine engine;
    private final IntSupplier queueLimit;
    private final Sessions sessions;

    /** Creates a router in front of an engine. */
    public Router(Services services, Agents agents, Engine engine, IntSupplier queueLimit) {
        this.services = services;
        this.agents = agents;
        this.engine = engine;
        this.queueLimit = queueLimit;
        this.sessions = new Sessions(services, agents);
    }

    /** A message on its way: how it enters the inbox and what goes with it. */
    private record Incoming(
            InboxRow inbox,
            SubmittedMessage message,
            List<Operation> records,
            Optional<IdempotencyKey> once,
            boolean waiting) {}

    @Override
    public Submission accept(InboxRow inbox, SubmittedMessage message, List<Operation> records) {
        return place(
                new Incoming(
                        inbox,
                        message,
                        records,
                        SubmissionCodec.idempotencyKey(inbox.principal(), message),
                        false));
    }

    /**
     * Routes a message that waits in the inbox; one that can never be routed is rejected there with
     * the reason.
     */
    public void route(InboxRow waiting) {
        try {
            SubmittedMessage message = SubmissionCodec.message(waiting.payload());
            place(new Incoming(waiting, message, List.of(), Optional.empty(), true));
        } catch (PalyraException e) {
            if (isFinal(e.code())) {
                reject(waiting, e.getMessage());
            } else {
                throw e;
            }
        }
    }

    /** Another try would end the same way. */
    private static boolean isFinal(ErrorCode code) {
        return code == ErrorCode.CORRUPT
                || (code.kind() == ErrorCode.Kind.USER && code != ErrorCode.CONFLICT);
    }

    private void reject(InboxRow waiting, String reason) {
        services.journal()
                .run(
                        j ->
                                j.commit(
                                        Unit.of(
                                                new Operation.SettleInbox(
                                                        waiting.messageId(),
                                                        InboxRow.State.REJECTED,
                                                        "",
                                                        reason))));
    }

    @Override
    public int activeRuns() {
        return engine.activeRuns();
    }

    /** Places a message, reading again when somebody else changed the session in between. */
    private Submission place(Incoming incoming) {
        PalyraException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return attempt(incoming);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT && e.code() != ErrorCode.ALREADY_EXISTS) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }

    private Submission attempt(Incoming incoming) {
        Optional<SessionView> found =
                sessions.find(incoming.inbox().principal(), incoming.message());
        SessionView session =
                found.orElseGet(
                        () -> sessions.fresh(incoming.inbox().principal(), incoming.message()));
        AgentView agent =
                incoming.message().agentId().isEmpty()
                        ? agents.resolve(
                                        incoming.inbox().principal(),
                                        incoming.message().channel(),
                                        found)
                                .agent()
                        : agents.require(incoming.message().agentId());
        String runId = services.ids().next();
        boolean now = engine.reserve(session.sessionId(), runId);
        RunRow row = row(incoming, session, agent, runId, now);
        try {
            return commit(incoming, found, session, agent, row, now);
        } catch (RuntimeException e) {
            engine.release(session.sessionId(), runId);
            throw e;
        }
    }

    private Submission commit(
            Incoming incoming,
            Optional<SessionView> found,
            SessionView session,
            AgentView agent,
            RunRow row,
            boolean now) {
        List<TapeEvent> events = new ArrayList<>(opening(incoming, row));
        FirstTurn first = null;
        if (now) {
            events.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
            first =
                    engine.plan(
                            row, agent, found.isEmpty() || session.lastRunId().isEmpty(), events);
            events.add(first.announcement());
        }
        Unit unit = unit(incoming, found, session, row, events, now);
        Committed committed = services.journal().call(j -> j.commit(unit));
        if (committed.replayed()) {
            engine.release(session.sessionId(), row.runId());
            return before(committed);
        }
        if (now) {
            engine.launched(row, first, events, committed);
        } else {
            engine.startNextOf(row.sessionId());
        }
        return new Submission(row.messageId(), row.runId(), row.sessionId(), false);
    }

    private Submission before(Committed committed) {
        String messageId = SubmissionCodec.messageId(committed.result());
        Optional<InboxRow> inbox = services.journal().call(j -> j.inbox(messageId));
        String runId = inbox.map(InboxRow::runId).orElse("");
        String sessionId =
                runId.isEmpty()
                        ? ""
                        : services.journal()
                                .call(j -> j.run(runId))
                                .map(RunRow::sessionId)
                                .orElse("");
        return new Submission(messageId, runId, sessionId, true);
    }

    private Unit unit(
            Incoming incoming,
            Optional<SessionView> found,
            SessionView session,
            RunRow row,
            List<TapeEvent> events,
            boolean now) {
        Unit.Builder unit = Unit.builder();
        incoming.once().ifPresent(key -> unit.once(key, SubmissionCodec.result(row.messageId())));
        if (!now && !incoming.waiting()) {
            unit.require(new Precondition.QueueBelow(queueLimit.getAsInt()));
        }
        if (now && found.isPresent()) {
            unit.require(new Precondition.SessionIdle(session.sessionId()));
        }
        unit.addAll(incoming.records());
        addInbox(unit, incoming, row);
        addSession(unit, incoming, found, session);
        unit.add(
                new Operation.InsertRun(
                        row.runId(),
                        row.sessionId(),
                        row.principal(),
                        row.agentId(),
                        row.originKind(),
                        row.messageId(),
                        row.surface(),
                        row.state(),
                        row.epoch()));
        events.forEach(event -> unit.add(TapeCodec.append(row.runId(), event)));
        return unit.build();
    }

    private static void addInbox(Unit.Builder unit, Incoming incoming, RunRow row) {
        InboxRow in = incoming.inbox();
        if (incoming.waiting()) {
            unit.require(new Precondition.InboxIn(in.messageId(), InboxRow.State.QUEUED))
                    .add(
                            new Operation.SettleInbox(
                                    in.messageId(), InboxRow.State.ROUTED, row.runId(), ""));
        } else {
            unit.add(
                    new Operation.PutInbox(
                            new InboxRow(
                                    in.messageId(),
                                    in.surface(),
                                    in.dedupeKey(),
                                    in.principal(),
                                    in.payload(),
                                    InboxRow.State.ROUTED,
                                    row.runId(),
                                    "",
                                    in.createdAtMillis())));
        }
    }

    private void addSession(
            Unit.Builder unit,
            Incoming incoming,
            Optional<SessionView> found,
            SessionView session) {
        if (found.isPresent()) {
            unit.require(new Precondition.SessionLive(session.sessionId()));
            return;
        }
        if (incoming.message().newSession()) {
            sessions.named(incoming.inbox().principal(), incoming.message())
                    .ifPresent(old -> unit.add(new Operation.ArchiveSession(old.sessionId())));
        }
        unit.add(new Operation.InsertSession(session));
    }

    private static List<TapeEvent> opening(Incoming incoming, RunRow row) {
        return List.of(
                new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""),
                new TapeEvent.Message(
                        TapeEvent.Role.USER,
                        incoming.message().text(),
                        row.principal(),
                        row.surface(),
                        row.messageId()));
    }

    private RunRow row(
            Incoming incoming, SessionView session, AgentView agent, String runId, boolean now) {
        return new RunRow(
                runId,
                session.sessionId(),
                incoming.inbox().principal(),
                agent.agentId(),
                incoming.message().originKind(),
                incoming.inbox().messageId(),
                incoming.inbox().surface(),
                now ? RunState.RUNNING : RunState.ACCEPTED,
                "",
                engine.epoch(),
                0,
                0,
                0,
                Optional.empty());
    }
}
