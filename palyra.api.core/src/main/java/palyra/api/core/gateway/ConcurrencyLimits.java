package palyra.api.core.gateway;

import java.util.Map;

/**
 * How many runs of a surface may work at a time, as the bundle that brings its messages says. What
 * it said last counts until it says otherwise, also when the gateway is replaced meanwhile. Runs
 * beyond a limit wait in their order and hold up no other surface. A run that waits for people does
 * not count. Thread-safe.
 */
public interface ConcurrencyLimits {
    /**
     * Sets the limits, in place of those before. Returns at once.
     *
     * @param mostRuns most runs at a time, 1 or more, of a surface such as {@code telegram:main},
     *     or of each surface of a kind ({@code telegram:*}) or of any ({@code *:*}); the lowest
     *     that fits counts. A surface that none fits has no limit of its own
     * @throws palyra.api.PalyraException INVALID_ARGUMENT for a number below 1
     */
    void limit(Map<String, Integer> mostRuns);
}
