package palyra.access.internal;

import java.util.Optional;
import java.util.SortedSet;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolPolicyRequest;

/**
 * The rules that decide: the policy engine, or the fixed rules. Thread-safe. An exception counts as
 * no decision.
 */
interface Rules {
    /** Returns the source of the decisions. */
    DecisionSource source();

    /** Returns whether the engine that decides is present. */
    default boolean isPresent() {
        return true;
    }

    /** Returns why nothing can be decided now, a sentence; empty when decisions are made. */
    default Optional<String> whyUnavailable() {
        return Optional.empty();
    }

    /** Decides about an action. */
    AccessDecision decide(AccessRequest request);

    /**
     * Decides about a call of a known tool that is on the agent's list and within its budget.
     *
     * @throws palyra.api.PalyraException of kind UNAVAILABLE when the engine is absent
     */
    ToolCallDecision decideTool(ToolPolicyRequest question);

    /**
     * Returns the tools that these rules let the run of a request use.
     *
     * @throws palyra.api.PalyraException of kind UNAVAILABLE when the engine is absent
     */
    Usable usableTools(ToolPolicyRequest question);

    /**
     * Tools that the rules allow.
     *
     * @param tools their names
     * @param sha256 digest of these rules, lower-case hex; empty if there are no rules
     */
    record Usable(SortedSet<String> tools, String sha256) {}
}
