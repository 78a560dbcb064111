package palyra.api.core.journal;

import palyra.api.Require;

/**
 * One principal's approval of a request.
 *
 * @param payload how far it reaches, as canonical JSON; not copied
 * @param votedAtMillis unix time in milliseconds, assigned by the store
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record ApprovalVoteRow(
        String approvalId, String principal, byte[] payload, long votedAtMillis) {
    /** Checks. */
    public ApprovalVoteRow {
        Require.text(approvalId, "approval id");
        Require.text(principal, "principal");
        Require.present(payload, "payload");
    }
}
