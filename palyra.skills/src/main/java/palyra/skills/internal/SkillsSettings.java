package palyra.skills.internal;

import palyra.api.Require;

/**
 * Checked settings.
 *
 * @param reauditMillis interval of audits; 0 for none
 * @param allowTofu whether unknown publishers are pinned
 * @param maxInstalled most versions
 */
public record SkillsSettings(long reauditMillis, boolean allowTofu, int maxInstalled) {
    private static final long LEAST_INTERVAL = 1_000;
    private static final int MOST = 400;

    /** Checks. */
    public SkillsSettings {
        Require.that(
                reauditMillis == 0 || reauditMillis >= LEAST_INTERVAL,
                "reauditMillis is " + reauditMillis + ": give 0 or at least 1000");
        Require.that(
                maxInstalled >= 1 && maxInstalled <= MOST,
                "maxInstalled is " + maxInstalled + ": give 1 to " + MOST);
    }

    /** Checks a configuration. */
    static SkillsSettings of(SkillsConfiguration configuration) {
        return new SkillsSettings(
                configuration.reauditMillis(),
                configuration.allowTofu(),
                configuration.maxInstalled());
    }
}
