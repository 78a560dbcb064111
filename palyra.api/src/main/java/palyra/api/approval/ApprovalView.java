package palyra.api.approval;

import java.util.List;
import palyra.api.Require;

/**
 * An approval request and its current state.
 *
 * @param approvalId ULID
 * @param subjectId such as {@code tool:palyra.process.run}
 * @param requestSummary what would happen, in one line of at most 1,024 bytes
 * @param approvers who may decide: groups ({@code group:approver}) and principals
 * @param quorum how many different users must approve
 * @param votes approvals so far, in order
 * @param createdAtMillis unix time in milliseconds
 * @param expiresAtMillis unix time in milliseconds after which it is denied
 * @param notices how many reminders were sent
 * @param escalated whether the escalation group may decide as well
 */
public record ApprovalView(
        String approvalId,
        ApprovalOrigin origin,
        ApprovalSubject subject,
        String subjectId,
        String requestSummary,
        ApprovalPrompt prompt,
        ApprovalPolicy policy,
        List<String> approvers,
        int quorum,
        List<ApprovalVote> votes,
        long createdAtMillis,
        long expiresAtMillis,
        int notices,
        boolean escalated,
        ApprovalOutcome outcome) {
    /** Checks and copies. */
    public ApprovalView {
        Require.text(approvalId, "approval id");
        Require.present(origin, "origin");
        Require.present(subject, "subject");
        subjectId = Require.orEmpty(subjectId);
        requestSummary = Require.orEmpty(requestSummary);
        Require.present(prompt, "prompt");
        Require.present(policy, "policy");
        approvers = List.copyOf(approvers);
        votes = List.copyOf(votes);
        Require.present(outcome, "outcome");
    }

    /** Returns its state. */
    public ApprovalState state() {
        return outcome.state();
    }

    /** Returns the run that waits; empty when none does. */
    public String runId() {
        return origin.runId();
    }

    /** Returns the call that waits; empty when none does. */
    public String callId() {
        return origin.callId();
    }
}
