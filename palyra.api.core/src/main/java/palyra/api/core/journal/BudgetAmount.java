package palyra.api.core.journal;

import palyra.api.Require;

/**
 * An amount of the quantities that budgets count. As a cap, 0 means no cap.
 *
 * @param tokens tokens read and written
 * @param costMicros money in millionths of the configured currency
 * @param calls how often a model was asked
 */
public record BudgetAmount(long tokens, long costMicros, long calls) {
    /** Nothing; as a cap, no cap. */
    public static final BudgetAmount NONE = new BudgetAmount(0, 0, 0);

    /** Checks. */
    public BudgetAmount {
        Require.that(
                tokens >= 0 && costMicros >= 0 && calls >= 0, "what a budget counts is at least 0");
    }

    /** Returns the sum; an overflow saturates at the largest number. */
    public BudgetAmount plus(BudgetAmount other) {
        return new BudgetAmount(
                sum(tokens, other.tokens),
                sum(costMicros, other.costMicros),
                sum(calls, other.calls));
    }

    /** Returns the difference to {@code other}; never below 0. */
    public BudgetAmount minus(BudgetAmount other) {
        return new BudgetAmount(
                Math.max(0, tokens - other.tokens),
                Math.max(0, costMicros - other.costMicros),
                Math.max(0, calls - other.calls));
    }

    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Returns whether this is within every cap. */
    public boolean within(BudgetAmount cap) {
        return (cap.tokens == 0 || tokens <= cap.tokens)
                && (cap.costMicros == 0 || costMicros <= cap.costMicros)
                && (cap.calls == 0 || calls <= cap.calls);
    }

    /** Returns how much of the tightest cap this is, in percent, rounded down; 0 without a cap. */
    public long percentOf(BudgetAmount cap) {
        return Math.max(
                percent(tokens, cap.tokens),
                Math.max(percent(costMicros, cap.costMicros), percent(calls, cap.calls)));
    }

    private static long percent(long amount, long cap) {
        if (cap == 0) {
            return 0;
        }
        long whole = amount / cap;
        if (whole >= 1_000) {
            return 100_000; // larger percentages are capped
        }
        long rest = amount % cap;
        long part = rest <= Long.MAX_VALUE / 100 ? rest * 100 / cap : rest / (cap / 100);
        return whole * 100 + Math.min(99, part);
    }
}
