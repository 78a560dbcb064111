package palyra.front.internal.approval;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalOrigin;
import palyra.api.approval.ApprovalOutcome;
import palyra.api.approval.ApprovalPolicy;
import palyra.api.approval.ApprovalPrompt;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.ApprovalVote;
import palyra.api.approval.GrantShape;
import palyra.api.approval.RiskLevel;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.ApproverText;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.approval.Vote;

/** Approval requests as surfaces see them. Pure. */
final class ApprovalViews {
    private static final String UNREADABLE =
            "This approval request cannot be read: it counts as denied and cannot be approved.";

    private ApprovalViews() {}

    /** Returns the state of an approval request at a time: one whose time is over has expired. */
    static ApprovalState state(ApprovalRow row, long nowMillis) {
        return switch (row.state()) {
            case PENDING ->
                    row.expiresAtMillis() <= nowMillis
                            ? ApprovalState.EXPIRED
                            : ApprovalState.PENDING;
            case GRANTED -> ApprovalState.GRANTED;
            case DENIED -> ApprovalState.DENIED;
            case EXPIRED -> ApprovalState.EXPIRED;
            case WITHDRAWN -> ApprovalState.WITHDRAWN;
        };
    }

    static ApprovalView view(
            StoredApprovalRequest asked, List<ApprovalVoteRow> votes, long nowMillis) {
        return asked.question()
                .map(question -> readable(asked.row(), question, votes, nowMillis))
                .orElseGet(() -> unreadable(asked.row(), votes, nowMillis));
    }

    private static ApprovalView readable(
            ApprovalRow row,
            ApprovalRequestBody question,
            List<ApprovalVoteRow> votes,
            long nowMillis) {
        ApprovalRequestBody.Policy policy = question.policy();
        return new ApprovalView(
                row.approvalId(),
                origin(question.origin()),
                StoredValues.subject(question.subjectType()),
                question.subjectId(),
                question.requestSummary(),
                prompt(row, question),
                new ApprovalPolicy(
                        String.join(", ", policy.policyIds()),
                        policy.setSha256(),
                        policy.summary()),
                ApproverText.approvers(question.terms(), nowMillis),
                row.quorum(),
                votes.stream().map(ApprovalViews::vote).toList(),
                row.createdAtMillis(),
                row.expiresAtMillis(),
                row.notices(),
                ApproverText.escalated(question.terms(), nowMillis),
                outcome(row, nowMillis));
    }

    private static ApprovalOrigin origin(ApprovalRequestBody.Origin origin) {
        return new ApprovalOrigin(
                origin.sessionId(),
                origin.runId(),
                origin.callId(),
                origin.agentId(),
                origin.principal(),
                origin.deviceId(),
                origin.channel());
    }

    private static ApprovalPrompt prompt(ApprovalRow row, ApprovalRequestBody question) {
        ApprovalRequestBody.Prompt prompt = question.prompt();
        return new ApprovalPrompt(
                prompt.title(),
                StoredValues.risk(prompt.risk()),
                question.subjectId(),
                prompt.summary(),
                prompt.options().stream().map(ApprovalViews::option).toList(),
                prompt.timeoutSeconds(),
                new String(row.payload(), StandardCharsets.UTF_8),
                prompt.explanation());
    }

    private static ApprovalOption option(ApprovalRequestBody.Option option) {
        return new ApprovalOption(
                option.optionId(),
                option.label(),
                option.description(),
                option.defaultSelected(),
                option.granted(),
                StoredValues.scope(option.scope()),
                StoredValues.shape(option.shape()),
                option.ttlMillis());
    }

    private static ApprovalView unreadable(
            ApprovalRow row, List<ApprovalVoteRow> votes, long nowMillis) {
        ApprovalOption deny =
                new ApprovalOption(
                        "deny_once",
                        "Deny",
                        "The call does not happen.",
                        true,
                        false,
                        ApprovalScope.ONCE,
                        GrantShape.EXACT,
                        0);
        return new ApprovalView(
                row.approvalId(),
                new ApprovalOrigin(
                        row.sessionId(), row.runId(), row.callId(), "", row.principal(), "", ""),
                StoredValues.subject(row.subjectType()),
                row.subjectId(),
                UNREADABLE,
                new ApprovalPrompt(
                        "An approval request that cannot be read",
                        RiskLevel.CRITICAL,
                        row.subjectId(),
                        UNREADABLE,
                        List.of(deny),
                        0,
                        "",
                        ""),
                new ApprovalPolicy("", "", ""),
                List.of(),
                row.quorum(),
                votes.stream().map(ApprovalViews::vote).toList(),
                row.createdAtMillis(),
                row.expiresAtMillis(),
                row.notices(),
                false,
                outcome(row, nowMillis));
    }

    private static ApprovalVote vote(ApprovalVoteRow row) {
        Vote vote = read(row.payload(), row.principal());
        return new ApprovalVote(
                row.principal(),
                StoredValues.scope(vote.scope()),
                StoredValues.shape(vote.shape()),
                vote.ttlMillis(),
                vote.maxUses(),
                vote.reason(),
                row.votedAtMillis());
    }

    private static ApprovalOutcome outcome(ApprovalRow row, long nowMillis) {
        ApprovalState state = state(row, nowMillis);
        return switch (state) {
            case PENDING -> ApprovalOutcome.PENDING;
            case GRANTED, DENIED -> decided(row, state);
            case EXPIRED ->
                    ApprovalOutcome.unanswered(
                            state,
                            row.state() == ApprovalRow.State.PENDING
                                    ? row.expiresAtMillis()
                                    : row.decidedAtMillis());
            case WITHDRAWN -> ApprovalOutcome.unanswered(state, row.decidedAtMillis());
        };
    }

    private static ApprovalOutcome decided(ApprovalRow row, ApprovalState state) {
        Vote decision = read(row.decision(), row.decidedBy());
        return new ApprovalOutcome(
                state,
                row.decidedAtMillis(),
                row.decidedBy(),
                StoredValues.scope(decision.scope()),
                StoredValues.shape(decision.shape()),
                decision.ttlMillis(),
                decision.reason(),
                decision.grantId());
    }

    /** An answer that cannot be read is shown as the least that it can have been. */
    static Vote read(byte[] stored, String principal) {
        try {
            return ApprovalRequestCodec.vote(stored);
        } catch (PalyraException e) {
            return new Vote(
                    principal,
                    List.of(),
                    false,
                    ApprovalScope.ONCE.name(),
                    GrantShape.EXACT.name(),
                    0,
                    0,
                    stored.length == 0 ? "" : "What was said to it cannot be read.",
                    "");
        }
    }
}
