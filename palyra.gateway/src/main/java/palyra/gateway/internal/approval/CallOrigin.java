package palyra.gateway.internal.approval;

import palyra.api.Require;

/**
 * The run and the people on whose behalf a call is made.
 *
 * @param person principal whose credential started the run; empty means the run's principal
 * @param deviceId device that the run's message came from; empty when not known
 * @param channel channel that it came by; empty for none
 */
public record CallOrigin(
        String runId,
        String callId,
        String sessionId,
        String principal,
        String agentId,
        String deviceId,
        String channel,
        String person) {
    /** Checks. */
    public CallOrigin {
        Require.text(runId, "run id");
        Require.text(callId, "call id");
        Require.text(principal, "principal");
        sessionId = Require.orEmpty(sessionId);
        agentId = Require.orEmpty(agentId);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
        person = Require.orEmpty(person).isEmpty() ? principal : person;
    }

    /** Creates the asker of a run that its principal started with its own credential. */
    public CallOrigin(
            String runId,
            String callId,
            String sessionId,
            String principal,
            String agentId,
            String deviceId,
            String channel) {
        this(runId, callId, sessionId, principal, agentId, deviceId, channel, principal);
    }
}
