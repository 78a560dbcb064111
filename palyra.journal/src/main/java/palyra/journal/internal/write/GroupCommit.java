package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.database.UnconfirmedCommit;

/**
 * Applies a group of tasks in one transaction: each by itself may be refused without harm to its
 * neighbours, and one sync makes all of them durable.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final WriteContext context;
    private final Meters meters;

    GroupCommit(WriteContext context, Meters meters) {
        this.context = context;
        this.meters = meters;
    }

    /**
     * Applies the group. When it throws, nothing of the group happened, unless it throws that the
     * commit is unconfirmed: then whether it happened is to be found out.
     *
     * @param spaceShort whether writes that do not free space are refused
     * @param all collects what follows from the units once they are durable
     */
    void run(List<Ticket<?>> group, boolean spaceShort, CommitEffects all) throws SQLException {
        try {
            context.beginGroup();
            moveTimes(all);
            for (Ticket<?> ticket : group) {
                if (spaceShort && !ticket.task().whenSpaceIsShort()) {
                    ticket.refuse(SqliteFailure.FULL.exception(null));
                } else {
                    apply(ticket, all);
                }
            }
            long number = numbered(group);
            context.flush();
            commit(group.size(), number);
        } catch (SQLException | RuntimeException | Error e) {
            try {
                context.sql().rollbackQuietly();
            } finally {
                context.undoGroup(); // cached state must not outlive the group
            }
            throw e;
        }
    }

    /** What the clock did comes before everything that is decided by it. */
    private void moveTimes(CommitEffects all) throws SQLException {
        if (context.time().jumpMillis() != 0) {
            context.begin();
            DeadlineShift.apply(context);
            all.add(context.keep());
        }
    }

    /** A group of which nothing is left writes nothing, not even its number. */
    private long numbered(List<Ticket<?>> group) {
        return group.stream().allMatch(Ticket::refused)
                ? context.counters().groups()
                : context.counters().numberGroup();
    }

    private void commit(int units, long number) throws SQLException {
        long begin = System.nanoTime();
        try {
            context.sql().update("COMMIT");
            context.committed();
            meters.committed(units, System.nanoTime() - begin);
            if (context.time().isJump()) {
                meters.clockJumps.increment();
            }
        } catch (SQLException e) {
            throw SqliteFailure.of(e).leavesCommitOpen() ? new UnconfirmedCommit(number, e) : e;
        } catch (RuntimeException | Error e) { // perhaps after the commit
            throw new UnconfirmedCommit(number, e);
        }
    }

    private void apply(Ticket<?> ticket, CommitEffects all) throws SQLException {
        boolean savepoint = !ticket.task().refusesBeforeWriting();
        context.begin();
        if (savepoint) {
            context.sql().update("SAVEPOINT unit");
        }
        try {
            ticket.apply(context);
            if (savepoint) {
                context.sql().update("RELEASE unit");
            }
            all.add(context.keep());
        } catch (PalyraException e) {
            undo(savepoint);
            ticket.refuse(e);
        } catch (SQLException e) {
            refuseAlone(ticket, savepoint, e);
        } catch (RuntimeException e) {
            requireSavepoint(savepoint, e);
            LOG.error("A unit could not be applied because of a defect", e);
            undo(true);
            ticket.refuse(SqliteFailure.DEFECT.exception(e));
        }
    }

    private void refuseAlone(Ticket<?> ticket, boolean savepoint, SQLException e)
            throws SQLException {
        SqliteFailure failure = SqliteFailure.of(e);
        if (!savepoint || !failure.ofOneUnit()) {
            throw e;
        }
        undo(true);
        LOG.error("The schema refused a unit that its checks should have refused before", e);
        ticket.refuse(new PalyraException(ErrorCode.INTERNAL, failure(failure, e), e));
    }

    private static String failure(SqliteFailure failure, SQLException e) {
        return failure == SqliteFailure.CONSTRAINT
                ? "A change does not fit the stored rows: " + e.getMessage() + "."
                : failure.sentence();
    }

    /** Without a savepoint nothing can be taken back alone. */
    private static void requireSavepoint(boolean savepoint, RuntimeException e) {
        if (!savepoint) {
            throw e;
        }
    }

    private void undo(boolean savepoint) throws SQLException {
        context.undo();
        if (savepoint) {
            context.sql().update("ROLLBACK TO unit");
            context.sql().update("RELEASE unit");
        }
    }
}
