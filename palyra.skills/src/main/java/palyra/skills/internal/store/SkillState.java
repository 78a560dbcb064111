package palyra.skills.internal.store;

import java.util.Locale;

/** State of an installed version. */
public enum SkillState {
    /** Not approved yet, or found to be wrong: it is not offered and does not run. */
    QUARANTINED,
    /** Offered to agents. At most one version of a skill is. */
    ACTIVE,
    /** Approved once and switched off. */
    DISABLED;

    /** Returns how it is written. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
