package palyra.access.internal;

import java.util.SortedSet;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolQuestion;

/** The built-in rules, until a test kills them. */
final class KillableRules implements Rules {
    /** How an engine can fail. */
    enum Death {
        /** It throws. */
        EXCEPTION,
        /** Its code is gone. */
        LINKAGE,
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
    public Ruling decide(AccessRequest request) {
        if (death == null) {
            return alive.decide(request);
        }
        return switch (death) {
            case EXCEPTION -> throw new IllegalStateException("killed");
            case LINKAGE -> throw new NoClassDefFoundError("killed");
            case NO_DECISION -> new Ruling.NoDecision("killed");
            case NOTHING -> null;
        };
    }

    @Override
    public ToolRuling decideTool(ToolQuestion question) {
        if (death == null) {
            return alive.decideTool(question);
        }
        return switch (death) {
            case EXCEPTION, NO_DECISION -> throw new IllegalStateException("killed");
            case LINKAGE -> throw new NoClassDefFoundError("killed");
            case NOTHING -> null;
        };
    }

    @Override
    public SortedSet<String> usableTools(boolean testAgent) {
        return alive.usableTools(testAgent);
    }

    @Override
    public String sha256() {
        return alive.sha256();
    }
}
