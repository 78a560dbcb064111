package palyra.skills.internal.trust;

import java.util.Locale;

/** Why a publisher's key is trusted. */
public enum TrustDecision {
    /** An operator allowed this key for the publisher. */
    ALLOWLISTED,
    /** It is the key that the publisher's first installed skill had. */
    TOFU_PINNED,
    /** It becomes that key when the install succeeds. */
    TOFU_NEWLY_PINNED;

    /** Returns how it is written. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
