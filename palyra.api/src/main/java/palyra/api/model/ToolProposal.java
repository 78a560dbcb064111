package palyra.api.model;

import palyra.api.Require;

/**
 * A tool call that a model proposes.
 *
 * @param callId id of the call; empty from a provider, derived by the engine from run, turn and
 *     index
 * @param toolName name of the tool; not checked for existence
 * @param inputJson the input exactly as the model wrote it; may be malformed
 */
public record ToolProposal(String callId, String toolName, String inputJson) {
    /** Checks. */
    public ToolProposal {
        callId = Require.orEmpty(callId);
        Require.text(toolName, "tool name");
        inputJson = Require.orEmpty(inputJson);
    }
}
