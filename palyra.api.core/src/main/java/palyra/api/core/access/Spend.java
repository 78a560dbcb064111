package palyra.api.core.access;

import java.util.List;
import java.util.Map;
import palyra.api.Require;

/**
 * What was spent of a budget, open reservations included. Policies read it.
 *
 * @param tokens tokens read and written
 * @param costMicros money in millionths of the configured currency
 * @param calls how often a model was asked
 * @param percent how much of the budget that is, rounded down; may be above 100; 0 when no budget
 *     applies
 */
public record Spend(long tokens, long costMicros, long calls, long percent) {
    /** Nothing, or no budget applies. */
    public static final Spend NONE = new Spend(0, 0, 0, 0);

    /**
     * Names of the facts of an {@link AccessRequest} that say the same, as decimal numbers, in the
     * order of the components.
     */
    public static final List<String> FACTS =
            List.of("spendTokens", "spendCostMicros", "spendCalls", "spendPercent");

    /** Checks. */
    public Spend {
        Require.that(
                tokens >= 0 && costMicros >= 0 && calls >= 0 && percent >= 0,
                "what was spent is at least 0");
    }

    /** Returns it as facts of an {@link AccessRequest}. */
    public Map<String, String> facts() {
        return Map.of(
                FACTS.get(0), Long.toString(tokens),
                FACTS.get(1), Long.toString(costMicros),
                FACTS.get(2), Long.toString(calls),
                FACTS.get(3), Long.toString(percent));
    }
}
