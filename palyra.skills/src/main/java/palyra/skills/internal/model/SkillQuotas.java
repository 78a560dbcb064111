package palyra.skills.internal.model;

import palyra.api.Require;

/**
 * Limits of one call of a skill.
 *
 * @param timeoutMillis wall-clock time
 * @param fuel instructions, as metering counts them
 * @param memoryBytes memory of its instance
 */
public record SkillQuotas(long timeoutMillis, long fuel, long memoryBytes) {
    /** The defaults. */
    public static final SkillQuotas DEFAULT = new SkillQuotas(30_000, 10_000_000, 64L << 20);

    /** Checks. */
    public SkillQuotas {
        Require.that(timeoutMillis >= 1, "a time limit is at least 1 ms");
        Require.that(fuel >= 1, "fuel is at least 1");
        Require.that(memoryBytes >= 65_536, "memory is at least one page of 64 KiB");
    }
}
