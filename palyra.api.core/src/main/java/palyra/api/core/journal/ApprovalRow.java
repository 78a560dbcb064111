package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A question to a person.
 *
 * @param approvalId ULID
 * @param runId run that waits
 * @param callId call that waits
 * @param sessionId session of the run; may be empty
 * @param principal on whose behalf the run works; may be empty
 * @param subjectType what it is about, such as {@code TOOL}; may be empty
 * @param subjectId such as {@code tool:palyra.process.run}; may be empty
 * @param state where it stands
 * @param payload the question as canonical JSON; not copied
 * @param quorum how many different principals must vote for it, from 1
 * @param votes how many have
 * @param expiresAtMillis unix time in milliseconds after which the answer is no; while it is
 *     PENDING, this and the next move along when the system's clock jumps
 * @param noticeAtMillis unix time in milliseconds when people are to be reminded next; 0 for never
 * @param notices how often they were
 * @param decidedBy principal that answered; empty while pending or when it expired
 * @param decision the answer as canonical JSON; empty while pending; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record ApprovalRow(
        String approvalId,
        String runId,
        String callId,
        String sessionId,
        String principal,
        String subjectType,
        String subjectId,
        State state,
        byte[] payload,
        int quorum,
        int votes,
        long createdAtMillis,
        long expiresAtMillis,
        long noticeAtMillis,
        int notices,
        long decidedAtMillis,
        String decidedBy,
        byte[] decision) {
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
        sessionId = Require.orEmpty(sessionId);
        principal = Require.orEmpty(principal);
        subjectType = Require.orEmpty(subjectType);
        subjectId = Require.orEmpty(subjectId);
        Require.present(state, "state");
        Require.present(payload, "payload");
        Require.that(quorum >= 1, "a quorum of " + quorum + " was asked for: use 1 or more");
        decidedBy = Require.orEmpty(decidedBy);
        decision = decision == null ? new byte[0] : decision;
    }

    /** Returns a question that is to be asked; times but these two are assigned by the store. */
    public static ApprovalRow asked(
            String approvalId,
            String runId,
            String callId,
            String sessionId,
            String principal,
            String subjectType,
            String subjectId,
            byte[] payload,
            int quorum,
            long expiresAtMillis,
            long noticeAtMillis) {
        return new ApprovalRow(
                approvalId,
                runId,
                callId,
                sessionId,
                principal,
                subjectType,
                subjectId,
                State.PENDING,
                payload,
                quorum,
                0,
                0,
                expiresAtMillis,
                noticeAtMillis,
                0,
                0,
                "",
                null);
    }
}
