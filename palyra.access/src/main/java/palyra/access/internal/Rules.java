package palyra.access.internal;

import java.util.SortedSet;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolQuestion;

/**
 * The seam to whatever decides: the fixed rules until a policy engine is there. Thread-safe. An
 * exception counts as no decision.
 */
interface Rules {
    /** Returns what the decisions are put down to. */
    DecisionSource source();

    /** Decides about an action. */
    Ruling decide(AccessRequest request);

    /** Decides about a call of a known tool that is on the agent's list and within its budget. */
    ToolRuling decideTool(ToolQuestion question);

    /** Returns the tools that these rules let an agent use at all. */
    SortedSet<String> usableTools(boolean testAgent);

    /** Returns the digest of the rules in force, lower-case hex. */
    String sha256();
}
