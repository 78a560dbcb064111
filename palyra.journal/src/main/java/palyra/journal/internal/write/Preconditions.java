package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Precondition;
import palyra.journal.internal.table.Rejections;
import palyra.journal.internal.table.RunTable;
import palyra.journal.internal.table.Tables;

/** Checks the preconditions of a unit. */
final class Preconditions {
    private final WriteContext context;
    private final Tables tables;

    Preconditions(WriteContext context) {
        this.context = context;
        this.tables = context.tables();
    }

    /** Throws unless the precondition holds. */
    void require(Precondition precondition) throws SQLException {
        switch (precondition) {
            case Precondition.Epoch epoch -> epoch(epoch);
            case Precondition.HoldsLease lease -> lease(lease);
            case Precondition.RunIn run -> runIn(run);
            case Precondition.SessionIdle idle -> sessionIdle(idle);
            case Precondition.SessionLive live -> sessionLive(live);
            case Precondition.DocumentAt at -> documentAt(at);
            case Precondition.ApprovalOpen open ->
                    tables.approvals().requireOpen(open.approvalId(), open.votes(), context.now());
            case Precondition.InboxIn in -> inboxIn(in);
            case Precondition.QueueBelow below -> queueBelow(below);
        }
    }

    private void epoch(Precondition.Epoch wanted) throws SQLException {
        Optional<RunTable.Standing> run = tables.runs().standing(wanted.runId());
        boolean holds =
                run.isPresent()
                        && run.get().epoch() == wanted.epoch()
                        && !run.get().state().terminal();
        if (!holds) {
            throw Rejections.stale(
                    "Run "
                            + wanted.runId()
                            + " is not held under epoch "
                            + wanted.epoch()
                            + ": "
                            + run.map(r -> "it is " + r.state() + " under epoch " + r.epoch())
                                    .orElse("it does not exist")
                            + "; stop working on it.");
        }
    }

    private void lease(Precondition.HoldsLease wanted) throws SQLException {
        if (!tables.leases().isHeld(wanted.name(), wanted.owner(), wanted.epoch())) {
            throw Rejections.stale(
                    wanted.owner()
                            + " does not hold lease "
                            + wanted.name()
                            + " with epoch "
                            + wanted.epoch()
                            + " any more; stop and take it again.");
        }
    }

    private void runIn(Precondition.RunIn wanted) throws SQLException {
        Optional<RunTable.Standing> run = tables.runs().standing(wanted.runId());
        if (run.isEmpty() || !wanted.states().contains(run.get().state())) {
            throw Rejections.conflict(
                    "Run "
                            + wanted.runId()
                            + " should be one of "
                            + wanted.states()
                            + " but "
                            + run.map(r -> "is " + r.state()).orElse("does not exist")
                            + "; read it again.");
        }
    }

    private void sessionIdle(Precondition.SessionIdle wanted) throws SQLException {
        if (!tables.runs().sessionIdle(wanted.sessionId())) {
            throw Rejections.conflict(
                    "Session "
                            + wanted.sessionId()
                            + " has a run that has not ended; wait for its end.");
        }
    }

    private void sessionLive(Precondition.SessionLive wanted) throws SQLException {
        if (!tables.sessions().isLive(wanted.sessionId())) {
            throw Rejections.conflict(
                    "Session "
                            + wanted.sessionId()
                            + " does not exist or is archived; begin a new one.");
        }
    }

    private void documentAt(Precondition.DocumentAt wanted) throws SQLException {
        long found = tables.documents().version(wanted.collection(), wanted.key());
        if (found != wanted.version()) {
            throw Rejections.conflict(
                    "The "
                            + wanted.collection()
                            + " '"
                            + wanted.key()
                            + "' was expected at version "
                            + wanted.version()
                            + " and is at "
                            + found
                            + "; read it again.");
        }
    }

    private void inboxIn(Precondition.InboxIn wanted) throws SQLException {
        if (!tables.inbox().isIn(wanted.messageId(), wanted.state())) {
            throw Rejections.conflict(
                    "Message "
                            + wanted.messageId()
                            + " is not "
                            + wanted.state()
                            + " any more; read it again.");
        }
    }

    private void queueBelow(Precondition.QueueBelow wanted) {
        long waiting = context.counters().waiting();
        if (waiting >= wanted.limit()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    waiting
                            + " messages and runs wait already, "
                            + wanted.limit()
                            + " may; try again when some have ended.");
        }
    }
}
