package palyra.access.internal;

import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolPolicyRequest;

/** The built-in rules, until a test kills them. */
final class KillableRules implements Rules {
    /** How an engine can fail. */
    enum Death {
        /** It throws. */
        EXCEPTION,
        /** Its code is gone. */
        LINKAGE,
        /** It denies everything: a valid set that locks everybody out. */
        LOCKED_OUT,
        /** It says that it cannot decide. */
        NO_DECISION,
        /** It says nothing at all. */
        NOTHING
    }

    private final BuiltInRules alive = new BuiltInRules();
    private volatile Death death;

    void kill(Death how) {
        death = how;
    }

    void revive() {
        death = null;
    }

    @Override
    public DecisionSource source() {
        return alive.source();
    }

    @Override
    public AccessDecision decide(AccessRequest request) {
        if (death == null) {
            return alive.decide(request);
        }
        return switch (death) {
            case EXCEPTION -> throw new IllegalStateException("killed");
            case LINKAGE -> throw new NoClassDefFoundError("killed");
            case LOCKED_OUT -> new AccessDecision.Deny("locked_out", "Nobody may do anything.");
            case NO_DECISION -> new AccessDecision.NoDecision("killed");
            case NOTHING -> null;
        };
    }

    @Override
    public ToolCallDecision decideTool(ToolPolicyRequest question) {
        if (death == null) {
            return alive.decideTool(question);
        }
        return switch (death) {
            case EXCEPTION, NO_DECISION, LOCKED_OUT -> throw new IllegalStateException("killed");
            case LINKAGE -> throw new NoClassDefFoundError("killed");
            case NOTHING -> null;
        };
    }

    @Override
    public Usable usableTools(ToolPolicyRequest question) {
        return alive.usableTools(question);
    }
}
