package palyra.api.core.journal;

import palyra.api.Require;

/**
 * One account of a budget.
 *
 * @param no number of the account, from 1, rising
 * @param budget name of the budget
 * @param subject whose account it is, such as {@code principal:user:anna}
 * @param period a UTC date such as {@code 2026-03-01}, or {@code run:} and the id of a run
 * @param cap the caps as they were at the last reservation
 * @param used what was spent
 * @param reserved amount reserved for calls in progress
 * @param warned highest threshold, in percent, of which people were told; 0 for none
 * @param updatedAtMillis unix time in milliseconds of the last change
 */
public record BudgetRow(
        long no,
        String budget,
        String subject,
        String period,
        BudgetAmount cap,
        BudgetAmount used,
        BudgetAmount reserved,
        int warned,
        long updatedAtMillis) {
    /** Checks. */
    public BudgetRow {
        Require.text(budget, "name of a budget");
        Require.text(subject, "subject of a budget");
        Require.text(period, "period of a budget");
        Require.present(cap, "cap of a budget");
        Require.present(used, "what was used");
        Require.present(reserved, "reserved amount");
    }

    /** Returns how much of the tightest cap is used or set aside, in percent. */
    public long percent() {
        return used.plus(reserved).percentOf(cap);
    }
}
