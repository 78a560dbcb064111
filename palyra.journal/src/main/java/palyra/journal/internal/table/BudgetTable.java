package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.core.journal.BudgetExceeded;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Operation;
import palyra.journal.internal.database.Sql;

/** Accounts of budgets, and the reservations in them. */
public final class BudgetTable {
    /** How long an account is kept after its last change. */
    static final long KEPT_MILLIS = 32L * 24 * 60 * 60 * 1_000;

    private static final int SWEPT_AT_ONCE = 4;
    private static final String SELECT =
            "SELECT budget_no, budget, subject, period, cap_tokens, cap_cost, cap_calls,"
                    + " used_tokens, used_cost, used_calls, reserved_tokens, reserved_cost,"
                    + " reserved_calls, warned, updated_at FROM budgets WHERE ";

    private final Sql sql;

    BudgetTable(Sql sql) {
        this.sql = sql;
    }

    /** What is set aside in one account. */
    private record Held(String reservationId, long account, BudgetAmount amount) {}

    private static BudgetRow read(ResultSet row) throws SQLException {
        return new BudgetRow(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                amount(row, 5),
                amount(row, 8),
                amount(row, 11),
                row.getInt(14),
                row.getLong(15));
    }

    private static BudgetAmount amount(ResultSet row, int at) throws SQLException {
        return new BudgetAmount(row.getLong(at), row.getLong(at + 1), row.getLong(at + 2));
    }

    private Optional<BudgetRow> find(String budget, String subject, String period)
            throws SQLException {
        return sql.one(
                SELECT + "period = ? AND subject = ? AND budget = ?",
                BudgetTable::read,
                period,
                subject,
                budget);
    }

    /** With a period given the query follows the index of accounts. */
    public List<BudgetRow> page(String period, String subject, long afterNo, int limit)
            throws SQLException {
        if (period.isEmpty()) {
            return sql.list(
                    SELECT + "budget_no > ? AND (? = '' OR subject = ?) ORDER BY budget_no LIMIT ?",
                    BudgetTable::read,
                    afterNo,
                    subject,
                    subject,
                    limit);
        }
        return subject.isEmpty()
                ? sql.list(
                        SELECT + "period = ? AND budget_no > ? ORDER BY budget_no LIMIT ?",
                        BudgetTable::read,
                        period,
                        afterNo,
                        limit)
                : sql.list(
                        SELECT
                                + "period = ? AND subject = ? AND budget_no > ?"
                                + " ORDER BY budget_no LIMIT ?",
                        BudgetTable::read,
                        period,
                        subject,
                        afterNo,
                        limit);
    }

    public void reserve(Operation.ReserveBudget reservation, long now) throws SQLException {
        if (sql.exists(
                "SELECT 1 FROM budget_reservations WHERE reservation_id = ?",
                reservation.reservationId())) {
            throw Rejections.taken("reservation", reservation.reservationId());
        }
        for (BudgetClaim claim : reservation.claims()) {
            reserve(reservation, claim, now);
        }
    }

    private void reserve(Operation.ReserveBudget reservation, BudgetClaim claim, long now)
            throws SQLException {
        BudgetRow account = account(claim, now);
        BudgetAmount reserved = account.reserved().plus(claim.amount());
        if (!account.used().plus(reserved).within(claim.cap())) {
            throw exceeded(claim, account);
        }
        sql.update(
                "UPDATE budgets SET cap_tokens = ?, cap_cost = ?, cap_calls = ?,"
                        + " reserved_tokens = ?, reserved_cost = ?, reserved_calls = ?,"
                        + " updated_at = ? WHERE budget_no = ?",
                claim.cap().tokens(),
                claim.cap().costMicros(),
                claim.cap().calls(),
                reserved.tokens(),
                reserved.costMicros(),
                reserved.calls(),
                now,
                account.no());
        sql.update(
                "INSERT INTO budget_reservations (reservation_id, budget_no, run_id, tokens, cost,"
                        + " calls) VALUES (?,?,?,?,?,?)",
                reservation.reservationId(),
                account.no(),
                reservation.runId(),
                claim.amount().tokens(),
                claim.amount().costMicros(),
                claim.amount().calls());
    }

    private BudgetRow account(BudgetClaim claim, long now) throws SQLException {
        Optional<BudgetRow> there = find(claim.budget(), claim.subject(), claim.period());
        if (there.isPresent()) {
            return there.get();
        }
        sweep(now);
        sql.update(
                "INSERT INTO budgets (period, subject, budget, cap_tokens, cap_cost, cap_calls,"
                        + " used_tokens, used_cost, used_calls, reserved_tokens, reserved_cost,"
                        + " reserved_calls, warned, updated_at)"
                        + " VALUES (?,?,?,?,?,?,0,0,0,0,0,0,0,?)",
                claim.period(),
                claim.subject(),
                claim.budget(),
                claim.cap().tokens(),
                claim.cap().costMicros(),
                claim.cap().calls(),
                now);
        return find(claim.budget(), claim.subject(), claim.period()).orElseThrow();
    }

    /** With each new account some old ones go, so their number follows that of a month. */
    private void sweep(long now) throws SQLException {
        long first =
                sql.number(
                        "SELECT budget_no FROM budgets WHERE budget_no > 0 ORDER BY budget_no LIMIT"
                                + " 1",
                        0);
        sql.update(
                "DELETE FROM budgets WHERE budget_no BETWEEN ? AND ? AND updated_at < ?"
                        + " AND reserved_calls = 0",
                first,
                first + SWEPT_AT_ONCE,
                now - KEPT_MILLIS);
    }

    private static PalyraException exceeded(BudgetClaim claim, BudgetRow account) {
        String message =
                "Budget '"
                        + claim.budget()
                        + "' of "
                        + claim.subject()
                        + " has no room for another call of a model: "
                        + words(account.used().plus(account.reserved()))
                        + " are used or set aside, "
                        + words(claim.amount())
                        + " are asked for, and its caps (0 for none) are "
                        + words(claim.cap())
                        + ".";
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED, message, new BudgetExceeded(claim, message));
    }

    private static String words(BudgetAmount amount) {
        return amount.tokens()
                + " tokens, "
                + amount.costMicros()
                + " millionths of money and "
                + amount.calls()
                + " calls";
    }

    public void settle(Operation.SettleBudget settlement, long now) throws SQLException {
        for (Held held : held("reservation_id", settlement.reservationId())) {
            settle(held, settlement.used() == null ? held.amount() : settlement.used(), now);
        }
    }

    /** Counts everything as used that is set aside for a run; for its end. */
    public void endOfRun(String runId, long now) throws SQLException {
        for (Held held : held("run_id", runId)) {
            settle(held, held.amount(), now);
        }
    }

    private List<Held> held(String column, String id) throws SQLException {
        return sql.list(
                "SELECT reservation_id, budget_no, tokens, cost, calls FROM budget_reservations"
                        + " WHERE "
                        + column
                        + " = ?",
                row -> new Held(row.getString(1), row.getLong(2), amount(row, 3)),
                id);
    }

    private void settle(Held held, BudgetAmount used, long now) throws SQLException {
        Optional<BudgetRow> account =
                sql.one(SELECT + "budget_no = ?", BudgetTable::read, held.account());
        sql.update(
                "DELETE FROM budget_reservations WHERE reservation_id = ? AND budget_no = ?",
                held.reservationId(),
                held.account());
        if (account.isEmpty()) {
            return; // it is not needed any more
        }
        BudgetAmount total = account.get().used().plus(used);
        BudgetAmount left = account.get().reserved().minus(held.amount());
        sql.update(
                "UPDATE budgets SET used_tokens = ?, used_cost = ?, used_calls = ?,"
                        + " reserved_tokens = ?, reserved_cost = ?, reserved_calls = ?,"
                        + " updated_at = ? WHERE budget_no = ?",
                total.tokens(),
                total.costMicros(),
                total.calls(),
                left.tokens(),
                left.costMicros(),
                left.calls(),
                now,
                held.account());
    }

    public void note(Operation.NoteBudget note, long now) throws SQLException {
        BudgetRow account =
                account(
                        new BudgetClaim(
                                note.budget(),
                                note.subject(),
                                note.period(),
                                note.cap(),
                                BudgetAmount.NONE),
                        now);
        if (account.warned() >= note.percent()) {
            throw Rejections.conflict(
                    "Budget "
                            + note.budget()
                            + " has a notice at "
                            + account.warned()
                            + " % already.");
        }
        sql.update(
                "UPDATE budgets SET warned = ? WHERE budget_no = ?", note.percent(), account.no());
    }
}
