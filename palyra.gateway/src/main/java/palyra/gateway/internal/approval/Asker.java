package palyra.gateway.internal.approval;

import palyra.api.Require;

/**
 * For whom a call is to happen.
 *
 * @param deviceId device that the run's message came from; empty when not known
 * @param channel channel that it came by; empty for none
 */
public record Asker(
        String runId,
        String callId,
        String sessionId,
        String principal,
        String agentId,
        String deviceId,
        String channel) {
    /** Checks. */
    public Asker {
        Require.text(runId, "run id");
        Require.text(callId, "call id");
        Require.text(principal, "principal");
        sessionId = Require.orEmpty(sessionId);
        agentId = Require.orEmpty(agentId);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
    }
}
