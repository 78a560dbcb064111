package palyra.api.tool;

import palyra.api.Require;

/**
 * One call of a tool that was decided, recorded and is now to happen.
 *
 * @param callId identifies the call; the same id never names two different calls
 * @param attempt 1 for the first start; higher only for idempotent tools after a crash
 * @param runId run the call belongs to
 * @param sessionId session of the run
 * @param principalId on whose behalf
 * @param inputJson the input exactly as the model wrote it: one JSON object as text, already parsed
 *     strictly once
 * @param deadlineMillis unix time in milliseconds when the call will be interrupted
 */
public record ToolInvocation(
        String callId,
        int attempt,
        String runId,
        String sessionId,
        String principalId,
        String inputJson,
        long deadlineMillis) {
    /** Checks. */
    public ToolInvocation {
        Require.text(callId, "call id");
        Require.text(runId, "run id");
        Require.text(inputJson, "tool input");
        sessionId = Require.orEmpty(sessionId);
        principalId = Require.orEmpty(principalId);
        Require.that(
                attempt >= 1, "attempt of call " + callId + " is " + attempt + ": counts from 1");
    }
}
