package palyra.gateway.internal.intake;

import java.util.List;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.tape.TapeCodec;

/** The unit that makes a message and its run durable together. Pure. */
final class RunUnit {
    private RunUnit() {}

    /**
     * Returns the unit.
     *
     * @param opening the first records, with their sealed parts
     * @param events all records, the first among them
     * @param now whether the run begins at once, because its session is free
     * @param queueLimit most messages and runs that may wait
     */
    static Unit.Builder of(
            IncomingMessage incoming,
            Sessions.Plan plan,
            RunRow row,
            RunSecrets.Prepared opening,
            List<TapeEvent> events,
            boolean now,
            int queueLimit) {
        Unit.Builder unit = Unit.builder();
        incoming.once().ifPresent(key -> unit.once(key, SubmissionCodec.result(row.messageId())));
        if (!now && !incoming.waiting()) {
            unit.require(new Precondition.QueueBelow(queueLimit));
        }
        if (now && !plan.created()) {
            unit.require(new Precondition.SessionIdle(row.sessionId()));
        }
        if (!plan.created()) {
            unit.require(new Precondition.SessionLive(row.sessionId()));
        }
        unit.addAll(incoming.records());
        addInbox(unit, incoming, row);
        plan.addTo(unit);
        if (isFirst(plan) && !incoming.message().agentId().isEmpty()) {
            unit.add(new Operation.BindSession(row.sessionId(), row.agentId()));
        }
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
        unit.addAll(opening.appends());
        events.stream()
                .skip(opening.appends().size())
                .forEach(event -> unit.add(TapeCodec.append(row.runId(), event)));
        return unit;
    }

    /**
     * Returns whether a session was made before its first message, which chooses its agent as that
     * of a session does which it makes itself.
     */
    private static boolean isFirst(Sessions.Plan plan) {
        return !plan.created()
                && plan.session().agentId().isEmpty()
                && plan.session().lastRunId().isEmpty();
    }

    private static void addInbox(Unit.Builder unit, IncomingMessage incoming, RunRow row) {
        InboxRow in = incoming.inbox();
        if (incoming.waiting()) {
            unit.require(new Precondition.InboxIn(in.messageId(), InboxRow.State.QUEUED))
                    .add(
                            new Operation.SettleInbox(
                                    in.messageId(), InboxRow.State.ROUTED, row.runId(), ""));
        } else {
            unit.add(new Operation.PutInbox(in.withRun(row.runId())));
        }
    }
}
