package palyra.api.approval;

import palyra.api.Require;

/**
 * The origin of an approval request.
 *
 * @param runId run that waits; empty when a sender does, who wants to be answered
 * @param callId call that waits; empty likewise
 * @param principal on whose behalf the run works, or the sender
 * @param deviceId device that its message came from; empty when not known
 * @param channel channel that its message came by; empty for none
 */
public record ApprovalOrigin(
        String sessionId,
        String runId,
        String callId,
        String agentId,
        String principal,
        String deviceId,
        String channel) {
    /** Checks. */
    public ApprovalOrigin {
        sessionId = Require.orEmpty(sessionId);
        runId = Require.orEmpty(runId);
        callId = Require.orEmpty(callId);
        agentId = Require.orEmpty(agentId);
        principal = Require.orEmpty(principal);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
    }
}
