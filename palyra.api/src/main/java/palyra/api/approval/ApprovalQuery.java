package palyra.api.approval;

import java.util.Optional;
import palyra.api.Require;

/**
 * A filter for approval requests. Empty texts and 0 mean any.
 *
 * @param sinceMillis asked at or after, unix time in milliseconds
 * @param untilMillis asked before, unix time in milliseconds
 * @param principal on whose behalf
 */
public record ApprovalQuery(
        Optional<ApprovalState> state,
        Optional<ApprovalSubject> subject,
        String subjectId,
        String principal,
        String runId,
        String sessionId,
        long sinceMillis,
        long untilMillis) {
    /** Every approval request. */
    public static final ApprovalQuery ALL =
            new ApprovalQuery(Optional.empty(), Optional.empty(), "", "", "", "", 0, 0);

    /** Checks. */
    public ApprovalQuery {
        Require.present(state, "state");
        Require.present(subject, "subject");
        subjectId = Require.orEmpty(subjectId);
        principal = Require.orEmpty(principal);
        runId = Require.orEmpty(runId);
        sessionId = Require.orEmpty(sessionId);
        Require.that(
                sinceMillis >= 0 && untilMillis >= 0, "times are unix milliseconds, 0 for any");
    }

    /** Returns a filter for the pending approval requests of one run, or of all runs if empty. */
    public static ApprovalQuery pending(String runId) {
        return new ApprovalQuery(
                Optional.of(ApprovalState.PENDING), Optional.empty(), "", "", runId, "", 0, 0);
    }
}
