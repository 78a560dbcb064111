package palyra.gateway.internal.intake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.BudgetExceeded;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.vault.SecretReach;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunState;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.Engine;
import palyra.gateway.internal.engine.run.Answers;
import palyra.gateway.internal.engine.turn.FirstTurn;
import palyra.gateway.internal.seam.Services;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.outcome.Commits;
import palyra.shared.run.RejectedMessages;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.sealed.SecretReaches;

/**
 * Turns messages into runs: finds or makes the session, then records message, run and, when the
 * session is free, the first turn, in one unit. A message that comes directly and one that waited
 * in the inbox take the same way. Thread-safe: the journal's preconditions decide between two
 * messages for one session.
 */
public final class Router implements Intake {
    private static final int TRIES = 5;
    private static final int MOST_CANCELLED = 200;
    private static final Set<RunState> UNFINISHED =
            EnumSet.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);
    private static final int MOST_WAITING = 100; // of those that are looked through

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

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

    @Override
    public Submission accept(InboxRow inbox, SubmittedMessage message, List<Operation> records) {
        requireTurn(inbox);
        return place(
                new IncomingMessage(
                        inbox,
                        message,
                        records,
                        // From the stored form: the message itself may hold secrets.
                        SubmissionCodec.idempotencyKey(
                                inbox.principal(), SubmissionCodec.message(inbox.payload())),
                        false));
    }

    /** A message overtakes none for its session that came while the gateway was away. */
    private void requireTurn(InboxRow inbox) {
        List<InboxRow> waiting =
                services.journal().call(j -> j.inboxIn(InboxRow.State.QUEUED, "", MOST_WAITING));
        if (waiting.isEmpty()) {
            return;
        }
        String order = order(inbox);
        if (waiting.size() == MOST_WAITING
                || waiting.stream().map(Router::order).anyMatch(order::equals)) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "Earlier messages of "
                            + inbox.principal()
                            + " are being taken up; this one goes to the inbox, behind them.");
        }
    }

    /** Returns what messages that keep their order have in common: they ask for one session. */
    public static String order(InboxRow row) {
        try {
            SubmittedMessage message = SubmissionCodec.message(row.payload());
            return String.join(
                    "\n",
                    row.surface(),
                    row.principal(),
                    message.sessionId(),
                    message.sessionKey());
        } catch (PalyraException unreadable) {
            return row.messageId(); // it is rejected when its turn comes
        }
    }

    /**
     * Routes a message that waits in the inbox; one that can never be routed is rejected there with
     * the reason.
     */
    public void route(InboxRow waiting) {
        try {
            SubmittedMessage message = SubmissionCodec.message(waiting.payload());
            place(new IncomingMessage(waiting, message, List.of(), Optional.empty(), true));
        } catch (PalyraException e) {
            if (isFinal(e.code())) {
                reject(waiting, e.getMessage());
            } else {
                throw e;
            }
        }
    }

    /** Another attempt would fail in the same way. */
    private static boolean isFinal(ErrorCode code) {
        return code == ErrorCode.CORRUPT
                || (code.kind() == ErrorCode.Kind.USER && code != ErrorCode.CONFLICT);
    }

    /** The message was acknowledged as accepted, so its rejection is recorded and logged. */
    private void reject(InboxRow waiting, String reason) {
        Unit.Builder unit =
                Unit.builder()
                        .add(
                                new Operation.SettleInbox(
                                        waiting.messageId(), InboxRow.State.REJECTED, "", reason))
                        .add(rejected(waiting, reason));
        refusal(waiting, reason).ifPresent(unit::add);
        Commits.commit(services.journal(), unit.build());
        LOG.warn(
                "Message {} of {} ({}) was rejected: {}",
                waiting.messageId(),
                waiting.principal(),
                waiting.surface(),
                reason);
    }

    /** Who wrote on a chat platform is told there; others ask what became of their message. */
    private Optional<Operation> refusal(InboxRow waiting, String reason) {
        try {
            MessageOrigin origin = SubmissionCodec.message(waiting.payload()).origin();
            return Optional.ofNullable(origin)
                    .map(
                            to ->
                                    Answers.row(
                                            services.ids().next(),
                                            "",
                                            waiting.surface(),
                                            to,
                                            "failure",
                                            reason))
                    .map(Operation.PutOutbox::new);
        } catch (PalyraException unreadable) {
            return Optional.empty(); // which is why it was rejected
        }
    }

    private static Operation.Append rejected(InboxRow waiting, String reason) {
        byte[] payload =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("messageId", waiting.messageId())
                                .put("principal", waiting.principal())
                                .put("surface", waiting.surface())
                                .put("reason", reason));
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, "message_rejected", 1, payload);
    }

    @Override
    public ResolvedSession resolveSession(
            String principal, SessionQuery query, List<Operation> records) {
        return sessions.resolve(principal, query, records);
    }

    @Override
    public int activeRuns() {
        return engine.workers().active();
    }

    /** Places a message, reading again when another caller changed the session meanwhile. */
    private Submission place(IncomingMessage incoming) {
        PalyraException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return attempt(incoming, last == null);
            } catch (PalyraException e) {
                last = e;
                if (!mayPass(e.code(), incoming.message())) {
                    break;
                }
            }
        }
        PalyraException refusal = last;
        return acceptedBefore(incoming).orElseThrow(() -> refusal);
    }

    /** Another attempt sees what another caller changed meanwhile. */
    private boolean mayPass(ErrorCode code, SubmittedMessage message) {
        return code == ErrorCode.CONFLICT
                || (code == ErrorCode.ALREADY_EXISTS && !isTaken(message.runId()));
    }

    private boolean isTaken(String runId) {
        return !runId.isEmpty() && services.journal().call(j -> j.run(runId)).isPresent();
    }

    /** What was accepted once is answered in the same way, though it would be refused by now. */
    private Optional<Submission> acceptedBefore(IncomingMessage incoming) {
        return incoming.once()
                .flatMap(key -> services.journal().call(j -> j.stored(key)))
                .map(this::before);
    }

    /**
     * Places a message once.
     *
     * @param mayBegin whether its run may begin at once; else it waits behind the run that its
     *     session may have although no worker is at it
     */
    private Submission attempt(IncomingMessage incoming, boolean mayBegin) {
        String principal = incoming.inbox().principal();
        SubmittedMessage message = incoming.message();
        Sessions.Plan plan = sessions.plan(principal, Sessions.query(message), message.agentId());
        AgentView agent =
                message.agentId().isEmpty()
                        ? agents.resolve(principal, message.channel(), plan.found()).agent()
                        : agents.require(message.agentId());
        String runId =
                message.runId().isEmpty()
                        ? services.ids().next()
                        : Ulids.require(message.runId(), "run id");
        String sessionId = plan.session().sessionId();
        boolean now =
                mayBegin
                        && !engine.queue().mayWait(sessionId) // it would overtake that run
                        && engine.workers().reserve(sessionId, runId, incoming.inbox().surface());
        RunRow row = row(incoming, plan.session(), agent, runId, now);
        try {
            return commit(incoming, plan, agent, row, now);
        } catch (RuntimeException | Error e) {
            if (now) {
                engine.workers().release(sessionId, runId);
            }
            if (now && e instanceof PalyraException p && p.code() == ErrorCode.CONFLICT) {
                engine.queue().holdIfActive(sessionId); // then the next try queues the message
            }
            throw e;
        }
    }

    private Submission commit(
            IncomingMessage incoming,
            Sessions.Plan plan,
            AgentView agent,
            RunRow row,
            boolean now) {
        RunSecrets.Prepared opening =
                services.secrets()
                        .ofNew(row.runId(), reach(incoming, row))
                        .prepare(opening(incoming, row));
        if (!now) {
            return commit(incoming, plan, row, opening, null);
        }
        List<TapeEvent> events = new ArrayList<>(opening.events());
        events.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
        FirstTurn first =
                engine.starter()
                        .planFirstTurn(
                                row, agent, plan.session().lastRunId(), events, incoming.inbox());
        try {
            return commit(incoming, plan, row, opening, first);
        } catch (PalyraException e) {
            if (!BudgetExceeded.in(e)) {
                throw e;
            }
            // the message is accepted, and its run fails for want of budget
            return commit(incoming, plan, row, opening, first.withoutTurn());
        }
    }

    /** {@code first} is null for a run that waits. */
    private Submission commit(
            IncomingMessage incoming,
            Sessions.Plan plan,
            RunRow row,
            RunSecrets.Prepared opening,
            FirstTurn first) {
        boolean now = first != null;
        List<TapeEvent> events = new ArrayList<>(opening.events());
        if (now) {
            events.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
            events.addAll(first.announcement());
        }
        Unit.Builder unit =
                RunUnit.of(incoming, plan, row, opening, events, now, queueLimit.getAsInt());
        if (incoming.message().whileRunning() == WhileRunning.CANCEL && !now) {
            unit.addAll(cancellations(row));
        }
        unit.step(row.runId(), "accept/" + row.messageId());
        Committed committed = engine.commit(now ? unit.addAll(first.operations()) : unit);
        if (committed.replayed()) {
            return replayed(row, committed, now);
        }
        if (now) {
            engine.starter().start(row, first, events, committed);
        } else {
            engine.queue().startNextOf(row.sessionId());
        }
        return new Submission(row.messageId(), row.runId(), row.sessionId(), false);
    }

    /** The commands are as durable as the message that asks for them. */
    private List<Operation> cancellations(RunRow newest) {
        byte[] why =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("reason", "a newer message came"));
        return services
                .journal()
                .call(j -> j.runsIn(UNFINISHED, newest.sessionId(), "", MOST_CANCELLED))
                .stream()
                .filter(row -> row.principal().equals(newest.principal()))
                .map(
                        row ->
                                new CommandRow(
                                        services.ids().next(),
                                        CommandRow.CANCEL_RUN,
                                        row.runId(),
                                        newest.principal(),
                                        why,
                                        false,
                                        "",
                                        System.currentTimeMillis()))
                .<Operation>map(Operation.PutCommand::new)
                .toList();
    }

    /**
     * It was accepted before: by this very call, of which the first answer was lost, or earlier.
     */
    private Submission replayed(RunRow row, Committed committed, boolean now) {
        boolean own =
                committed.result().length == 0
                        || SubmissionCodec.messageId(committed.result()).equals(row.messageId());
        if (own && now) {
            engine.starter().resume(row);
        } else if (now) {
            engine.workers().release(row.sessionId(), row.runId());
        }
        if (!own) {
            return before(committed.result());
        }
        if (!now) {
            engine.queue().startNextOf(row.sessionId());
        }
        return new Submission(row.messageId(), row.runId(), row.sessionId(), false);
    }

    private Submission before(byte[] result) {
        String messageId = SubmissionCodec.messageId(result);
        Optional<InboxRow> inbox = services.journal().call(j -> j.inbox(messageId));
        inbox.filter(row -> row.state() == InboxRow.State.REJECTED)
                .ifPresent(
                        row -> {
                            throw RejectedMessages.refusal(row);
                        });
        String runId =
                inbox.filter(row -> row.state() == InboxRow.State.ROUTED)
                        .map(InboxRow::runId)
                        .orElse("");
        String sessionId =
                runId.isEmpty()
                        ? ""
                        : services.journal()
                                .call(j -> j.run(runId))
                                .map(RunRow::sessionId)
                                .orElse("");
        return new Submission(messageId, runId, sessionId, true);
    }

    private static SecretReach reach(IncomingMessage incoming, RunRow row) {
        return SecretReaches.of(
                row.principal(),
                SubmissionCodec.principalGroups(incoming.inbox().payload()),
                row.agentId(),
                incoming.message().channel());
    }

    private static List<TapeEvent> opening(IncomingMessage incoming, RunRow row) {
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
            IncomingMessage incoming,
            SessionView session,
            AgentView agent,
            String runId,
            boolean now) {
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
