package palyra.journal.internal.table;

import java.sql.SQLException;
import org.sqlite.SQLiteException;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;

/** Every group of tables over one connection. */
public final class Tables {
    /** Comes after every id, for pages that begin at the newest. */
    static final String AFTER_EVERY_ID = "\uDBFF\uDFFF";

    private final Sql sql;
    private final SessionTable sessions;
    private final RunTable runs;
    private final TextTable texts;
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
    private final SettledRows settled;

    public Tables(Sql sql) {
        this.sql = sql;
        sessions = new SessionTable(sql);
        runs = new RunTable(sql);
        texts = new TextTable(sql);
        tape = new TapeTable(sql, texts);
        snapshots = new SnapshotTable(sql);
        inbox = new InboxTable(sql, texts);
        outbox = new OutboxTable(sql, texts);
        commands = new CommandTable(sql);
        approvals = new ApprovalTable(sql);
        grants = new GrantTable(sql);
        budgets = new BudgetTable(sql);
        documents = new DocumentTable(sql);
        leases = new LeaseTable(sql);
        idempotency = new IdempotencyTable(sql);
        settled = new SettledRows(sql, texts);
    }

    /**
     * Throws ALREADY_EXISTS when an insert met a row of the same id; returns the exception
     * otherwise.
     */
    static SQLException orTaken(SQLiteException thrown, String what, String id) {
        if (SqliteFailure.of(thrown) == SqliteFailure.CONSTRAINT) {
            throw Rejections.taken(what, id);
        }
        return thrown;
    }

    public Sql sql() {
        return sql;
    }

    public SessionTable sessions() {
        return sessions;
    }

    public RunTable runs() {
        return runs;
    }

    public TextTable texts() {
        return texts;
    }

    public TapeTable tape() {
        return tape;
    }

    public SnapshotTable snapshots() {
        return snapshots;
    }

    public InboxTable inbox() {
        return inbox;
    }

    public OutboxTable outbox() {
        return outbox;
    }

    public CommandTable commands() {
        return commands;
    }

    public ApprovalTable approvals() {
        return approvals;
    }

    public GrantTable grants() {
        return grants;
    }

    public BudgetTable budgets() {
        return budgets;
    }

    public DocumentTable documents() {
        return documents;
    }

    public LeaseTable leases() {
        return leases;
    }

    public IdempotencyTable idempotency() {
        return idempotency;
    }

    public SettledRows settled() {
        return settled;
    }
}
