package palyra.access.internal;

import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.access.PolicyAnswer;

/** What a rule engine says to one question. */
sealed interface AccessDecision {
    /**
     * Yes, because of this rule.
     *
     * @param policy what policies said; empty unless they decided
     */
    record Allow(String ruleId, String reason, Optional<PolicyAnswer> policy) implements AccessDecision {
        public Allow {
            Require.text(ruleId, "rule id");
            Require.text(reason, "reason");
        }

        Allow(String ruleId, String reason) {
            this(ruleId, reason, Optional.empty());
        }
    }

    /**
     * No, because of this rule.
     *
     * @param policy what policies said; empty unless they decided
     */
    record Deny(String ruleId, String reason, Optional<PolicyAnswer> policy) implements AccessDecision {
        public Deny {
            Require.text(ruleId, "rule id");
            Require.text(reason, "reason");
        }

        Deny(String ruleId, String reason) {
            this(ruleId, reason, Optional.empty());
        }
    }

    /** No decision: the engine is absent or failed. The caller must treat it as a denial. */
    record NoDecision(String reason) implements AccessDecision {
        public NoDecision {
            Require.text(reason, "reason");
        }
    }
}
