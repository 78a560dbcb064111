package palyra.access.internal;

import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.access.PolicyDecision;

/** The decision of the rules about one access request. */
sealed interface AccessDecision {
    /**
     * Allowed by this rule.
     *
     * @param policy the answer of the policies; empty unless they decided
     */
    record Allow(String ruleId, String reason, Optional<PolicyDecision> policy)
            implements AccessDecision {
        public Allow {
            Require.text(ruleId, "rule id");
            Require.text(reason, "reason");
        }

        Allow(String ruleId, String reason) {
            this(ruleId, reason, Optional.empty());
        }
    }

    /**
     * Denied by this rule.
     *
     * @param policy the answer of the policies; empty unless they decided
     */
    record Deny(String ruleId, String reason, Optional<PolicyDecision> policy)
            implements AccessDecision {
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
