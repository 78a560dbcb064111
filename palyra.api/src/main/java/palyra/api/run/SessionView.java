package palyra.api.run;

import palyra.api.Require;

/**
 * A session: a conversation that goes on over many runs.
 *
 * @param sessionId ULID
 * @param key name within the principal; empty after it was archived
 * @param label display name; may be empty
 * @param principal its owner
 * @param deviceId device it belongs to; may be empty
 * @param channel channel it belongs to; may be empty
 * @param agentId agent bound to it; empty means the default agent
 * @param createdAtMillis unix time in milliseconds
 * @param updatedAtMillis unix time in milliseconds
 * @param archivedAtMillis unix time in milliseconds, 0 while it is live
 * @param lastRunId newest run; empty when it has none
 */
public record SessionView(
        String sessionId,
        String key,
        String label,
        String principal,
        String deviceId,
        String channel,
        String agentId,
        long createdAtMillis,
        long updatedAtMillis,
        long archivedAtMillis,
        String lastRunId) {
    /** Checks. */
    public SessionView {
        Require.text(sessionId, "session id");
        key = Require.orEmpty(key);
        label = Require.orEmpty(label);
        Require.text(principal, "principal");
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
        agentId = Require.orEmpty(agentId);
        lastRunId = Require.orEmpty(lastRunId);
    }
}
