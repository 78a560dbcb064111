package palyra.access.internal;

import palyra.api.Require;

/** What a rule engine says to one question. */
sealed interface Ruling {
    /** Yes, because of this rule. */
    record Allow(String ruleId, String reason) implements Ruling {
        public Allow {
            Require.text(ruleId, "rule id");
            Require.text(reason, "reason");
        }
    }

    /** No, because of this rule. */
    record Deny(String ruleId, String reason) implements Ruling {
        public Deny {
            Require.text(ruleId, "rule id");
            Require.text(reason, "reason");
        }
    }

    /** Neither: the engine is not there or failed. Whoever asks must treat it as no. */
    record NoDecision(String reason) implements Ruling {
        public NoDecision {
            Require.text(reason, "reason");
        }
    }
}
