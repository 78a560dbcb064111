package palyra.api.core.journal;

import palyra.api.Require;

/**
 * An approval request.
 *
 * @param approvalId ULID
 * @param runId run that waits; empty when a sender does, who wants to be answered
 * @param callId call that waits; empty likewise
 * @param sessionId session of the run; may be empty
 * @param principal on whose behalf the run works, or the sender; may be empty
 * @param subjectType its subject, such as {@code TOOL}; may be empty
 * @param subjectId such as {@code tool:palyra.process.run}; may be empty
 * @param state its state
 * @param payload the request as canonical JSON; not copied
 * @param quorum how many different principals must approve it, from 1
 * @param votes how many have
 * @param expiresAtMillis unix time in milliseconds after which it is denied; while it is PENDING,
 *     this and the next move along when the system's clock jumps
 * @param noticeAtMillis unix time in milliseconds of the next reminder; 0 for never
 * @param notices how many reminders were sent
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
    /** The state of an approval request. */
    public enum State {
        /** Not answered yet. */
        PENDING,
        /** Approved. */
        GRANTED,
        /** Denied. */
        DENIED,
        /** Expired without an answer, which denies the call. */
        EXPIRED,
        /** The run ended first. */
        WITHDRAWN
    }

    /** Checks. */
    public ApprovalRow {
        Require.text(approvalId, "approval id");
        runId = Require.orEmpty(runId);
        callId = Require.orEmpty(callId);
        Require.that(
                runId.isEmpty() == callId.isEmpty(),
                "an approval request has a run and a call, or neither");
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

    /** Returns whether it is about a sender who wants to be answered, and about no call. */
    public boolean isPairing() {
        return runId.isEmpty();
    }

    /** Returns a new pending request; the store assigns the other times. */
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
