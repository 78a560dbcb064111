package palyra.policy.internal.plan;

import java.util.Locale;
import palyra.api.core.access.PolicyDecision;

/** What became, or would become, of a call. */
public enum Verdict {
    /** It may happen. */
    ALLOW,
    /** People are asked. */
    ASK,
    /** It may not. */
    DENY;

    static Verdict of(PolicyDecision.Outcome outcome) {
        return switch (outcome) {
            case ALLOW -> ALLOW;
            case ALLOW_IF_APPROVED -> ASK;
            case DENY -> DENY;
        };
    }

    /** Returns it in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
