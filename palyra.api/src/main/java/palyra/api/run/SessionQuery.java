package palyra.api.run;

import palyra.api.Require;

/**
 * The session that a request refers to.
 *
 * @param sessionId ULID; empty means by key
 * @param sessionKey name within the principal; empty means the default session of principal, device
 *     and channel
 * @param deviceId device; empty when unknown
 * @param channel channel; empty when none
 * @param label display name for a new session; empty means its key
 * @param requireExisting whether one that does not exist is refused with NOT_FOUND instead of being
 *     made
 * @param reset whether to archive it first and begin a fresh one; a default session with a run that
 *     has not ended is left as it is
 */
public record SessionQuery(
        String sessionId,
        String sessionKey,
        String deviceId,
        String channel,
        String label,
        boolean requireExisting,
        boolean reset) {
    /** Checks. */
    public SessionQuery {
        sessionId = Require.orEmpty(sessionId);
        sessionKey = Require.orEmpty(sessionKey);
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
        label = Require.orEmpty(label);
        Require.that(
                label.length() <= SubmittedMessage.MAX_LABEL,
                "the session label has "
                        + label.length()
                        + " characters; at most "
                        + SubmittedMessage.MAX_LABEL
                        + " are taken");
    }
}
