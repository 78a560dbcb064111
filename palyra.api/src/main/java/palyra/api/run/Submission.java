package palyra.api.run;

import palyra.api.Require;

/**
 * What became of a submitted message. It is durable when this is returned.
 *
 * @param messageId ULID of the inbox entry
 * @param runId run that answers it; empty while no gateway is there to route it (find it later by
 *     {@code messageId})
 * @param sessionId session of the run; empty while not routed
 * @param duplicate whether this message had been accepted before
 */
public record Submission(String messageId, String runId, String sessionId, boolean duplicate) {
    /** Checks. */
    public Submission {
        Require.text(messageId, "message id");
        runId = Require.orEmpty(runId);
        sessionId = Require.orEmpty(sessionId);
    }
}
