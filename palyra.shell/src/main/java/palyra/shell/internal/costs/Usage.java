package palyra.shell.internal.costs;

import java.time.LocalDate;

/**
 * What turns of one kind used.
 *
 * @param costMicros money in millionths of the currency of the kind
 */
record Usage(long turns, long inputTokens, long cachedTokens, long outputTokens, long costMicros) {
    static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    /**
     * A kind of turns.
     *
     * @param day calendar day of UTC on which they ended
     * @param model provider and model, such as {@code openai/gpt-4o-mini}
     * @param currency empty for turns without a price
     */
    record Kind(LocalDate day, String agent, String model, String currency) {}

    Usage plus(Usage other) {
        return new Usage(
                sum(turns, other.turns),
                sum(inputTokens, other.inputTokens),
                sum(cachedTokens, other.cachedTokens),
                sum(outputTokens, other.outputTokens),
                sum(costMicros, other.costMicros));
    }

    /** Providers name the numbers: they stop at the largest one. */
    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
