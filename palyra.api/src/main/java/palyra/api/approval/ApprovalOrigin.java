package palyra.api.approval;

import palyra.api.Require;

/**
 * The origin of an approval request.
 *
 * @param runId run that waits
 * @param callId call that waits
 * @param principal on whose behalf the run works
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
        Require.text(runId, "run id");
        Require.text(callId, "call id");
        agentId = Require.orEmpty(agentId);
        principal = Require.orEmpty(principal);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
    }
}
