package palyra.policy.internal.decide;

import palyra.api.Require;

/**
 * How an engine watches itself.
 *
 * @param shadowPerMille how many of a thousand decisions go to both engines, 0 to 1,000
 * @param shadowQueue how many of them may wait; further ones are left out
 */
public record EngineSettings(int shadowPerMille, int shadowQueue) {
    /** What holds unless an operator says otherwise. */
    public static final EngineSettings DEFAULT = new EngineSettings(10, 256);

    /** Checks. */
    public EngineSettings {
        Require.that(
                shadowPerMille >= 0 && shadowPerMille <= 1_000,
                "a shadow sample of " + shadowPerMille + " per mille was asked for: use 0 to 1000");
        Require.that(
                shadowQueue >= 1 && shadowQueue <= 100_000,
                "a shadow queue of " + shadowQueue + " was asked for: use 1 to 100000");
    }
}
