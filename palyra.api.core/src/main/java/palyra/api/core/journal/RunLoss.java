package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A run that was accepted and of which the journal lost the row that says what it is.
 *
 * @param principal who sent the message that the run answers
 * @param messageId that message
 * @param sentence the loss and the remedy, for people
 */
public record RunLoss(String runId, String principal, String messageId, String sentence) {
    /** Checks. */
    public RunLoss {
        Require.text(runId, "run id");
        Require.text(principal, "principal");
        Require.text(messageId, "message id");
        Require.text(sentence, "sentence");
    }
}
