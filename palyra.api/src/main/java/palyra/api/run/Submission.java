package palyra.api.run;

import palyra.api.Require;

/**
 * The result of submitting a message, which is durable.
 *
 * @param messageId ULID of the inbox entry
 * @param runId run that answers it; empty until the gateway routes it (query it later by {@code
 *     messageId})
 * @param sessionId session of the run; empty while not routed
 * @param duplicate whether the message was accepted before
 */
public record Submission(String messageId, String runId, String sessionId, boolean duplicate) {
    /** Checks. */
    public Submission {
        Require.text(messageId, "message id");
        runId = Require.orEmpty(runId);
        sessionId = Require.orEmpty(sessionId);
    }
}
