package palyra.api.core.access;

import java.util.List;
import java.util.Set;
import palyra.api.Require;
import palyra.api.tool.ToolDescriptor;

/**
 * May this call happen?
 *
 * @param principal on whose behalf
 * @param agentId agent of the run
 * @param testAgent whether the agent is marked as a test agent
 * @param runId run
 * @param sessionId session of the run
 * @param callId call
 * @param toolName tool that the model named
 * @param descriptor what that tool is; null when no executor offers it
 * @param inputJson input as the model wrote it, strictly parsed once
 * @param agentTools tools on the agent's list
 * @param budgetLeft calls that the run may still make, this one included
 * @param maxCallsPerRun calls that a run may make in all, as its engine is configured
 * @param situation under which circumstances
 * @param offered every tool that is on offer now; for the list of tools that the run may use, not
 *     for the decision
 * @param agentProfile name of the agent's policy profile; empty for none
 */
public record ToolPolicyRequest(
        String principal,
        String agentId,
        boolean testAgent,
        String runId,
        String sessionId,
        String callId,
        String toolName,
        ToolDescriptor descriptor,
        String inputJson,
        Set<String> agentTools,
        int budgetLeft,
        int maxCallsPerRun,
        CallContext situation,
        List<ToolDescriptor> offered,
        String agentProfile) {
    /** Checks and copies. */
    public ToolPolicyRequest {
        Require.text(principal, "principal");
        Require.text(callId, "call id");
        Require.text(toolName, "tool name");
        agentTools = Set.copyOf(agentTools);
        Require.that(
                budgetLeft <= maxCallsPerRun,
                budgetLeft + " calls are left of " + maxCallsPerRun + " in all");
        Require.present(situation, "situation");
        offered = List.copyOf(offered);
        agentProfile = Require.orEmpty(agentProfile);
    }

    /** Asks for an agent without a profile. */
    public ToolPolicyRequest(
            String principal,
            String agentId,
            boolean testAgent,
            String runId,
            String sessionId,
            String callId,
            String toolName,
            ToolDescriptor descriptor,
            String inputJson,
            Set<String> agentTools,
            int budgetLeft,
            int maxCallsPerRun,
            CallContext situation,
            List<ToolDescriptor> offered) {
        this(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                toolName,
                descriptor,
                inputJson,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                situation,
                offered,
                "");
    }

    /** Asks without saying which tools are on offer. */
    public ToolPolicyRequest(
            String principal,
            String agentId,
            boolean testAgent,
            String runId,
            String sessionId,
            String callId,
            String toolName,
            ToolDescriptor descriptor,
            String inputJson,
            Set<String> agentTools,
            int budgetLeft,
            int maxCallsPerRun,
            CallContext situation) {
        this(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                toolName,
                descriptor,
                inputJson,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                situation,
                List.of());
    }

    /** Asks under circumstances of which nothing is known. */
    public ToolPolicyRequest(
            String principal,
            String agentId,
            boolean testAgent,
            String runId,
            String sessionId,
            String callId,
            String toolName,
            ToolDescriptor descriptor,
            String inputJson,
            Set<String> agentTools,
            int budgetLeft,
            int maxCallsPerRun) {
        this(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                toolName,
                descriptor,
                inputJson,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                CallContext.unknown());
    }

    /** Returns this request about another tool, whose call has that input. */
    public ToolPolicyRequest withTool(ToolDescriptor tool, String input) {
        return new ToolPolicyRequest(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                tool.name(),
                tool,
                input,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                situation,
                offered,
                agentProfile);
    }

    /** Returns this request under other circumstances. */
    public ToolPolicyRequest withSituation(CallContext other) {
        return new ToolPolicyRequest(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                toolName,
                descriptor,
                inputJson,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                other,
                offered,
                agentProfile);
    }

    /** Returns this request for an agent with a profile. */
    public ToolPolicyRequest withProfile(String profile) {
        return new ToolPolicyRequest(
                principal,
                agentId,
                testAgent,
                runId,
                sessionId,
                callId,
                toolName,
                descriptor,
                inputJson,
                agentTools,
                budgetLeft,
                maxCallsPerRun,
                situation,
                offered,
                profile);
    }
}
