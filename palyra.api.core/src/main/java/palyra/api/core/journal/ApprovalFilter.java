package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;

/**
 * A filter for approval requests. Empty texts and 0 mean any.
 *
 * @param sinceMillis asked at or after, unix time in milliseconds
 * @param untilMillis asked before, unix time in milliseconds
 */
public record ApprovalFilter(
        Optional<ApprovalRow.State> state,
        String subjectType,
        String subjectId,
        String principal,
        String runId,
        String sessionId,
        long sinceMillis,
        long untilMillis) {
    /** Every approval request. */
    public static final ApprovalFilter ALL =
            new ApprovalFilter(Optional.empty(), "", "", "", "", "", 0, 0);

    /** Checks. */
    public ApprovalFilter {
        Require.present(state, "state");
        subjectType = Require.orEmpty(subjectType);
        subjectId = Require.orEmpty(subjectId);
        principal = Require.orEmpty(principal);
        runId = Require.orEmpty(runId);
        sessionId = Require.orEmpty(sessionId);
    }

    /** Returns a filter for requests in a state, of one run or, if empty, of any. */
    public static ApprovalFilter in(ApprovalRow.State state, String runId) {
        return new ApprovalFilter(Optional.of(state), "", "", "", runId, "", 0, 0);
    }
}
