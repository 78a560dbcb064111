package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.table.ApprovalTable;
import palyra.journal.internal.table.CutPayload;
import palyra.journal.internal.table.GrantReach;
import palyra.journal.internal.table.Rejections;
import palyra.journal.internal.table.RunTable;
import palyra.journal.internal.table.StreamHead;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.shared.tape.TapeHash;

/** Applies every operation but appending. */
final class Operations {
    private final WriteContext context;
    private final Tables tables;
    private final Set<String> ending;
    private final Map<Operation, CutPayload> cut;

    /**
     * For one unit.
     *
     * @param ending collects the runs that the unit ends, to be sealed after all else
     * @param cut payloads of the messages and answers of the unit, by their operations
     */
    Operations(WriteContext context, Set<String> ending, Map<Operation, CutPayload> cut) {
        this.context = context;
        this.tables = context.tables();
        this.ending = ending;
        this.cut = cut;
    }

    void apply(Operation operation) throws SQLException {
        long now = context.now();
        switch (operation) {
            case Operation.InsertSession o -> {
                tables.sessions().insert(o.session(), now);
                context.effects().sessionChanged();
            }
            case Operation.BindSession o -> tables.sessions().bind(o.sessionId(), o.agentId(), now);
            case Operation.ArchiveSession o -> {
                tables.sessions().archive(o.sessionId(), now);
                context.effects().sessionChanged();
                tables.grants().endOfSession(o.sessionId(), now);
            }
            case Operation.InsertRun o -> insertRun(o, now);
            case Operation.ClaimRun o -> claimRun(o, now);
            case Operation.NoteAttempts o -> tables.runs().attempts(o);
            case Operation.MoveRun o -> moveRun(o, now);
            case Operation.Append o -> throw new IllegalStateException("appended elsewhere: " + o);
            case Operation.ErasePayload o -> erase(o);
            case Operation.NoteRunPayloads o -> tables.runs().payloads(o);
            case Operation.DropSettled o -> {
                tables.settled().drop(o.kind(), o.id(), o.beforeMillis());
                context.effects().erased();
            }
            case Operation.PutSnapshot o -> putSnapshot(o.snapshot());
            case Operation.PutInbox o -> putInbox(o, now);
            case Operation.SettleInbox o -> settleInbox(o);
            case Operation.PutOutbox o -> putOutbox(o, now);
            case Operation.MoveOutbox o -> tables.outbox().move(o, now);
            case Operation.RewriteOutbox o ->
                    tables.outbox().rewrite(o.outboxId(), cut.get(o), now);
            case Operation.PutCommand o -> {
                tables.commands().insert(o.row(), now);
                context.effects().hint(new FeedItem.CommandQueued(o.row().commandId()));
            }
            case Operation.FinishCommand o -> tables.commands().finish(o.commandId(), o.result());
            case Operation.PutApproval o -> {
                tables.grants().endOfCall(o.row().sessionId(), o.row().callId(), now);
                tables.approvals().insert(o.row(), now);
                context.effects()
                        .hint(new FeedItem.ApprovalAsked(o.row().approvalId(), o.row().runId()));
            }
            case Operation.VoteApproval o -> tables.approvals().vote(o, now);
            case Operation.NoteApproval o -> tables.approvals().note(o);
            case Operation.PutGrant o -> {
                tables.approvals()
                        .find(o.row().approvalId())
                        .ifPresent(question -> GrantReach.require(question, o.row()));
                tables.grants().insert(o.row(), now);
            }
            case Operation.UseGrant o -> tables.grants().use(o, now);
            case Operation.RevokeGrant o -> tables.grants().revoke(o, now);
            case Operation.DecideApproval o -> decide(o, now);
            case Operation.ReserveBudget o -> tables.budgets().reserve(o, now);
            case Operation.SettleBudget o -> tables.budgets().settle(o, now);
            case Operation.NoteBudget o -> tables.budgets().note(o, now);
            case Operation.PutDocument o ->
                    tables.documents().put(o.collection(), o.key(), o.content(), now);
            case Operation.DeleteDocument o -> tables.documents().delete(o.collection(), o.key());
        }
    }

    private void insertRun(Operation.InsertRun run, long now) throws SQLException {
        Require.that(!TapeRecord.isJournal(run.runId()), "a run cannot be called " + run.runId());
        tables.sessions().requireLive(run.sessionId());
        if (tables.runs().standing(run.runId()).isPresent()) {
            throw Rejections.taken("run", run.runId());
        }
        byte[] genesis = TapeHash.genesis(run.runId(), run.sessionId(), run.principal());
        StreamHead head = context.heads().begin(run.runId(), genesis);
        tables.runs().insert(run, head.streamNo(), now);
        tables.sessions().ran(run.sessionId(), run.runId(), now);
        if (run.state() == RunState.ACCEPTED) {
            context.counters().addWaiting(1);
        }
    }

    private void claimRun(Operation.ClaimRun claim, long now) throws SQLException {
        RunTable.Standing run = tables.runs().require(claim.runId());
        if (run.state().terminal()) {
            throw Rejections.conflict(
                    "Run " + claim.runId() + " cannot be taken: it is " + run.state() + ".");
        }
        if (claim.epoch() <= run.epoch()) {
            throw Rejections.stale(
                    "Run "
                            + claim.runId()
                            + " cannot be taken under epoch "
                            + claim.epoch()
                            + ": it is held under "
                            + run.epoch()
                            + "; stop working on it.");
        }
        tables.runs().claim(claim, now);
    }

    private void moveRun(Operation.MoveRun move, long now) throws SQLException {
        RunTable.Standing run = tables.runs().require(move.runId());
        RunState from = run.state();
        if (from.terminal() || !move.from().contains(from)) {
            throw Rejections.conflict(
                    "Run "
                            + move.runId()
                            + " cannot become "
                            + move.to()
                            + ": it is "
                            + from
                            + (from.terminal() ? " for good." : ", not one of " + move.from()));
        }
        if (move.to().terminal()) { // a run whose head is lost can still be taken and set aside
            context.heads().of(move.runId()); // as open: this unit may still append to it
        }
        tables.runs().move(move.runId(), run.sessionId(), move.to(), move.reason(), now);
        context.counters().addWaiting(waits(move.to()) - waits(from));
        if (move.to().terminal()) {
            end(move, now);
        }
    }

    private static int waits(RunState state) {
        return state == RunState.ACCEPTED ? 1 : 0;
    }

    private void end(Operation.MoveRun move, long now) throws SQLException {
        ending.add(move.runId());
        tables.snapshots().delete(context.heads().of(move.runId()).streamNo());
        tables.approvals().withdraw(move.runId(), now);
        for (ApprovalTable.PendingCall call : tables.approvals().calls(move.runId())) {
            tables.grants().endOfCall(call.sessionId(), call.callId(), now);
        }
        tables.budgets().endOfRun(move.runId(), now);
        if (move.to() != RunState.SUCCEEDED) {
            tables.outbox().withdraw(move.runId(), now);
        }
    }

    private void erase(Operation.ErasePayload erase) throws SQLException {
        long streamNo = context.heads().of(erase.streamId()).streamNo();
        TapeTable.Row row =
                tables.tape()
                        .find(erase.streamId(), streamNo, erase.seq())
                        .orElseThrow(
                                () ->
                                        Rejections.notFound(
                                                "record", erase.streamId() + "/" + erase.seq()));
        String unused = tables.tape().erase(streamNo, row);
        tables.snapshots().delete(streamNo); // it may tell what the record told
        context.effects().erased();
        if (!unused.isEmpty()) {
            context.effects().unused(unused);
        }
    }

    private void putSnapshot(RunSnapshot snapshot) throws SQLException {
        StreamHead head = new Appender(context).requireOpen(snapshot.runId());
        if (!tables.snapshots().put(head.streamNo(), snapshot)) {
            throw Rejections.notFound("record", snapshot.runId() + "/" + snapshot.seq());
        }
    }

    private void putInbox(Operation.PutInbox put, long now) throws SQLException {
        InboxRow row = put.row();
        if (row.state() == InboxRow.State.QUEUED
                && !row.runId().isEmpty()
                && tables.runs().standing(row.runId()).isPresent()) {
            throw Rejections.taken("run", row.runId());
        }
        tables.inbox().insert(row, cut.get(put), now);
        if (row.state() == InboxRow.State.QUEUED) {
            context.counters().addWaiting(1);
            context.effects().hint(new FeedItem.MessageQueued(row.messageId()));
        }
    }

    private void settleInbox(Operation.SettleInbox settling) throws SQLException {
        tables.inbox().settle(settling);
        context.counters().addWaiting(-1);
    }

    private void putOutbox(Operation.PutOutbox put, long now) throws SQLException {
        OutboxRow row = put.row();
        tables.outbox().insert(row, cut.get(put), now);
        if (row.state() == OutboxRow.State.PENDING) {
            context.effects().hint(new FeedItem.AnswerQueued(row.outboxId(), row.surface()));
        }
    }

    private void decide(Operation.DecideApproval decision, long now) throws SQLException {
        if (decision.state() == ApprovalRow.State.PENDING) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "PENDING is not a decision; use GRANTED, DENIED, EXPIRED or WITHDRAWN.");
        }
        String runId = tables.approvals().decide(decision, now);
        tables.runs().answered(runId);
        context.effects().hint(new FeedItem.ApprovalDecided(decision.approvalId(), runId));
    }
}
