package palyra.api.core.journal;

import palyra.api.Require;

/**
 * An amount to reserve in one account of one budget.
 *
 * @param budget name of the budget
 * @param subject whose account it is, such as {@code principal:user:anna}
 * @param period what the account is for: a UTC date such as {@code 2026-03-01}, or {@code run:} and
 *     the id of a run
 * @param cap most that may be used and set aside together
 * @param amount the amount to reserve
 */
public record BudgetClaim(
        String budget, String subject, String period, BudgetAmount cap, BudgetAmount amount) {
    /** Checks. */
    public BudgetClaim {
        Require.text(budget, "name of a budget");
        Require.text(subject, "subject of a budget");
        Require.text(period, "period of a budget");
        Require.present(cap, "cap of a budget");
        Require.present(amount, "amount");
    }
}
