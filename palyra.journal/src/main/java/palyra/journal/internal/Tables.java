package palyra.journal.internal;

import java.sql.SQLException;
import org.sqlite.SQLiteException;

/** Every group of tables over one connection. */
final class Tables {
    /** Comes after every id, for pages that begin at the newest. */
    static final String AFTER_EVERY_ID = "\uDBFF\uDFFF";

    private final Sql sql;
    private final SessionTable sessions;
    private final RunTable runs;
    private final TapeTable tape;
    private final SnapshotTable snapshots;
    private final InboxTable inbox;
    private final OutboxTable outbox;
    private final CommandTable commands;
    private final ApprovalTable approvals;
    private final GrantTable grants;
    private final BudgetTable budgets;
    private final DocumentTable documents;
    private final LeaseTable leases;
    private final IdempotencyTable idempotency;

    Tables(Sql sql) {
        this.sql = sql;
        sessions = new SessionTable(sql);
        runs = new RunTable(sql);
        tape = new TapeTable(sql);
        snapshots = new SnapshotTable(sql);
        inbox = new InboxTable(sql);
        outbox = new OutboxTable(sql);
        commands = new CommandTable(sql);
        approvals = new ApprovalTable(sql);
        grants = new GrantTable(sql);
        budgets = new BudgetTable(sql);
        documents = new DocumentTable(sql);
        leases = new LeaseTable(sql);
        idempotency = new IdempotencyTable(sql);
    }

    /**
     * Throws ALREADY_EXISTS when an insert met a row of the same id; returns the exception
     * otherwise.
     */
    static SQLException orTaken(SQLiteException thrown, String what, String id) {
        if (Failure.of(thrown) == Failure.CONSTRAINT) {
            throw Reject.taken(what, id);
        }
        return thrown;
    }

    Sql sql() {
        return sql;
    }

    SessionTable sessions() {
        return sessions;
    }

    RunTable runs() {
        return runs;
    }

    TapeTable tape() {
        return tape;
    }

    SnapshotTable snapshots() {
        return snapshots;
    }

    InboxTable inbox() {
        return inbox;
    }

    OutboxTable outbox() {
        return outbox;
    }

    CommandTable commands() {
        return commands;
    }

    ApprovalTable approvals() {
        return approvals;
    }

    GrantTable grants() {
        return grants;
    }

    BudgetTable budgets() {
        return budgets;
    }

    DocumentTable documents() {
        return documents;
    }

    LeaseTable leases() {
        return leases;
    }

    IdempotencyTable idempotency() {
        return idempotency;
    }
}
