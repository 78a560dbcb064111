package palyra.api.approval;

import palyra.api.Require;

/**
 * A question as it stands.
 *
 * @param approvalId ULID
 * @param runId run that waits
 * @param callId call that waits
 * @param state where it stands
 * @param detailsJson what a person is shown, a JSON object as text
 * @param createdAtMillis unix time in milliseconds
 * @param expiresAtMillis unix time in milliseconds after which the answer is no
 * @param decidedAtMillis unix time in milliseconds; 0 while pending
 * @param decidedBy principal that answered; empty while pending or when it expired
 */
public record ApprovalView(
        String approvalId,
        String runId,
        String callId,
        ApprovalState state,
        String detailsJson,
        long createdAtMillis,
        long expiresAtMillis,
        long decidedAtMillis,
        String decidedBy) {
    /** Checks. */
    public ApprovalView {
        Require.text(approvalId, "approval id");
        Require.text(runId, "run id");
        Require.text(callId, "call id");
        Require.present(state, "state");
        detailsJson = Require.orEmpty(detailsJson);
        decidedBy = Require.orEmpty(decidedBy);
    }
}
