package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A question to a person.
 *
 * @param approvalId ULID
 * @param runId run that waits
 * @param callId call that waits
 * @param state where it stands
 * @param payload the record as canonical JSON; not copied
 * @param expiresAtMillis unix time in milliseconds after which the answer is no
 * @param decidedBy principal that answered; empty while pending or when it expired
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record ApprovalRow(
        String approvalId,
        String runId,
        String callId,
        State state,
        byte[] payload,
        long createdAtMillis,
        long expiresAtMillis,
        long decidedAtMillis,
        String decidedBy) {
    /** Where a question stands. */
    public enum State {
        /** Nobody answered. */
        PENDING,
        /** Yes. */
        GRANTED,
        /** No. */
        DENIED,
        /** Nobody answered in time, which means no. */
        EXPIRED,
        /** The run ended first. */
        WITHDRAWN
    }

    /** Checks. */
    public ApprovalRow {
        Require.text(approvalId, "approval id");
        Require.text(runId, "run id");
        Require.text(callId, "call id");
        Require.present(state, "state");
        Require.present(payload, "payload");
        decidedBy = Require.orEmpty(decidedBy);
    }
}
