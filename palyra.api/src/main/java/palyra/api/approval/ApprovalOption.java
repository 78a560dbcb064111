package palyra.api.approval;

import palyra.api.Require;

/**
 * One option for answering an approval request.
 *
 * @param optionId stable word: {@code allow_once}, {@code allow_session}, {@code
 *     allow_session_pattern}, {@code allow_timeboxed}, {@code allow_timeboxed_pattern}, {@code
 *     deny_once}
 * @param label a few words for a button
 * @param description the calls that the answer covers, and for how long
 * @param defaultSelected whether a surface preselects it; true for the denial
 * @param granted whether it approves the call
 * @param ttlMillis validity of a {@link ApprovalScope#TIMEBOXED} approval; 0 otherwise
 */
public record ApprovalOption(
        String optionId,
        String label,
        String description,
        boolean defaultSelected,
        boolean granted,
        ApprovalScope scope,
        GrantShape shape,
        long ttlMillis) {
    /** Checks. */
    public ApprovalOption {
        Require.text(optionId, "option id");
        Require.text(label, "label");
        description = Require.orEmpty(description);
        Require.present(scope, "scope");
        Require.present(shape, "shape");
    }

    /** Returns the answer for this option. */
    public ApprovalAnswer answer(String approvalId, String reason) {
        return new ApprovalAnswer(approvalId, granted, scope, shape, ttlMillis, 0, reason);
    }
}
