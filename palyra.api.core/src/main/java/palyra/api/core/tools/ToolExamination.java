package palyra.api.core.tools;

import palyra.api.Require;
import palyra.api.core.access.CallFacts;

/** What an executor found out about a proposed call before it is decided. */
public sealed interface ToolExamination {
    /**
     * It can be taken, and this is what it would do.
     *
     * @param description the same for a person; {@link CallDescription#none} when the executor has
     *     nothing to say beyond tool and input
     */
    record Facts(CallFacts facts, CallDescription description) implements ToolExamination {
        /** Checks. */
        public Facts {
            Require.present(facts, "facts");
            Require.present(description, "description");
        }
    }

    /**
     * It is refused regardless of policy: the input is unusable, or a guard refuses it.
     *
     * @param reasonCode machine-readable, such as {@code sandbox.path_outside}
     * @param reason one sentence that the model can act on
     */
    record Refused(String reasonCode, String reason) implements ToolExamination {
        /** Checks. */
        public Refused {
            Require.text(reasonCode, "reason code");
            Require.text(reason, "reason");
        }
    }

    /** Returns facts. */
    static ToolExamination facts(CallFacts facts) {
        return new Facts(facts, CallDescription.none());
    }

    /** Returns facts with what a person is shown. */
    static ToolExamination facts(CallFacts facts, CallDescription description) {
        return new Facts(facts, description);
    }

    /** Returns a refusal. */
    static ToolExamination refused(String reasonCode, String reason) {
        return new Refused(reasonCode, reason);
    }
}
