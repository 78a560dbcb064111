package palyra.api.core.policy;

import java.util.List;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.ToolDescriptor;

/**
 * Decides policy requests by the policy set in force. Thread-safe. Every method reads the set once,
 * so an answer never mixes two sets. A denial is an answer; what cannot be decided is an exception,
 * which the caller must treat as no.
 *
 * <p>Only {@code palyra.access} calls it: that bundle checks credentials and scopes first, and
 * records decisions.
 */
@ProviderType
public interface PolicyEngine {
    /**
     * Decides about an action. An action that the schema does not know is denied.
     *
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE when no set is in force
     */
    PolicyDecision decide(AccessRequest request);

    /**
     * Decides about a call of a known tool that is on the agent's list and within its budget: once
     * with the approval as it is and, when that denies, once as if it were granted.
     *
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE when no set is in force
     */
    PolicyDecision decideTool(ToolPolicyRequest question);

    /**
     * Returns the names of those tools that are not ruled out before their input is known: allowed,
     * or allowed if approved.
     *
     * @param question the caller; its own tool and input are ignored
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE when no set is in force
     */
    Set<String> usableTools(ToolPolicyRequest question, List<ToolDescriptor> tools);

    /**
     * Returns the set in force.
     *
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE when no set is in force
     */
    PolicySetView current();
}
