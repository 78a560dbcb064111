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
 */
public record ToolProposed(
        String toolName, String inputJson, String sessionId, String principal, String agentId) {
    /** Checks. */
    public ToolProposed {
        Require.text(toolName, "tool name");
        Require.text(inputJson, "tool input");
        sessionId = Require.orEmpty(sessionId);
        principal = Require.orEmpty(principal);
        agentId = Require.orEmpty(agentId);
    }
}
