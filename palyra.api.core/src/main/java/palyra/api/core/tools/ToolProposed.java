package palyra.api.core.tools;

import palyra.api.Require;

/**
 * A call that a model proposes.
 *
 * @param toolName tool
 * @param inputJson input as the model wrote it: one JSON object, strictly parsed once
 * @param sessionId session of the run
 * @param principal on whose behalf
 * @param agentId agent of the run
 * @param bindsWorkspace whether a person's answer is to be bound to what the workspace holds: an
 *     executor whose call reads files then says so in {@code CallFacts.workspace}, which may take
 *     up to two seconds
 * @param comparedWith digest of an earlier state of the workspace that changes are named against;
 *     empty for none
 */
public record ToolProposed(
        String toolName,
        String inputJson,
        String sessionId,
        String principal,
        String agentId,
        boolean bindsWorkspace,
        String comparedWith) {
    /** Checks. */
    public ToolProposed {
        Require.text(toolName, "tool name");
        Require.text(inputJson, "tool input");
        sessionId = Require.orEmpty(sessionId);
        principal = Require.orEmpty(principal);
        agentId = Require.orEmpty(agentId);
        comparedWith = Require.orEmpty(comparedWith);
    }

    /** Creates a proposal that is bound to no workspace. */
    public ToolProposed(
            String toolName, String inputJson, String sessionId, String principal, String agentId) {
        this(toolName, inputJson, sessionId, principal, agentId, false, "");
    }

    /** Returns the same proposal, bound to what the workspace holds. */
    public ToolProposed inWorkspace(String since) {
        return new ToolProposed(toolName, inputJson, sessionId, principal, agentId, true, since);
    }
}
