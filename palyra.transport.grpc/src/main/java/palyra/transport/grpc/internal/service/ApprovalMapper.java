package palyra.transport.grpc.internal.service;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalOutcome;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantView;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.transport.grpc.internal.service.stream.ApprovalAnswerMapper;
import palyra.transport.grpc.internal.service.stream.ApprovalPromptMapper;
import palyra.transport.grpc.internal.service.stream.ProposalIds;
import palyra.transport.grpc.internal.wire.common.ApprovalPrompt;
import palyra.transport.grpc.internal.wire.gateway.ApprovalDecision;
import palyra.transport.grpc.internal.wire.gateway.ApprovalPolicySnapshot;
import palyra.transport.grpc.internal.wire.gateway.ApprovalRecord;
import palyra.transport.grpc.internal.wire.gateway.ApprovalSubjectType;
import palyra.transport.grpc.internal.wire.gateway.ApprovalVote;
import palyra.transport.grpc.internal.wire.gateway.Grant;

/** Maps approval requests and grants to messages. Pure functions. */
final class ApprovalMapper {
    private ApprovalMapper() {}

    static ApprovalRecord record(ApprovalView view) {
        ApprovalOutcome outcome = view.outcome();
        ApprovalRecord.Builder wire =
                ApprovalRecord.newBuilder()
                        .setV(1)
                        .setApprovalId(ApiMapper.id(view.approvalId()))
                        .setPrincipal(view.origin().principal())
                        .setDeviceId(view.origin().deviceId())
                        .setChannel(view.origin().channel())
                        .setRequestedAtUnixMs(view.createdAtMillis())
                        .setResolvedAtUnixMs(outcome.decidedAtMillis())
                        .setSubjectType(subject(view.subject()))
                        .setSubjectId(view.subjectId())
                        .setRequestSummary(view.requestSummary())
                        .setDecision(decision(view.state()))
                        .setPolicySnapshot(
                                ApprovalPolicySnapshot.newBuilder()
                                        .setPolicyId(view.policy().policyId())
                                        .setPolicyHash(view.policy().policySha256())
                                        .setEvaluationSummary(view.policy().summary()))
                        .setDecisionReason(outcome.reason())
                        .setState(view.state().name().toLowerCase(Locale.ROOT))
                        .setAgentId(view.origin().agentId())
                        .addAllApprovers(view.approvers())
                        .setQuorum(view.quorum())
                        .setExpiresAtUnixMs(view.expiresAtMillis())
                        .setNotices(view.notices())
                        .setEscalated(view.escalated())
                        .setDecidedBy(outcome.decidedBy());
        view.votes().forEach(vote -> wire.addVotes(vote(vote)));
        if (!view.runId().isEmpty()) {
            wire.setRunId(ApiMapper.id(view.runId()))
                    .setCallId(view.callId())
                    .setProposalId(ApiMapper.id(ProposalIds.of(view.callId())));
        }
        if (!view.origin().sessionId().isEmpty()) {
            wire.setSessionId(ApiMapper.id(view.origin().sessionId()));
        }
        if (view.state() == ApprovalState.GRANTED) {
            wire.setDecisionScope(ApprovalAnswerMapper.scope(outcome.scope()))
                    .setShape(ApprovalAnswerMapper.shape(outcome.shape()))
                    .setDecisionScopeTtlMs(outcome.ttlMillis())
                    .setGrantId(ApiMapper.id(outcome.grantId()));
        }
        ApprovalPrompt.Builder prompt = ApprovalPromptMapper.prompt(view.prompt()).toBuilder();
        Optional<ApprovalRequestBody> question = question(view);
        question.filter(each -> each.call() != null)
                .ifPresent(each -> wire.setCall(ApprovalPromptMapper.call(each)));
        return wire.setPrompt(prompt).build();
    }

    private static Optional<ApprovalRequestBody> question(ApprovalView view) {
        try {
            return Optional.of(
                    ApprovalRequestCodec.question(
                            view.prompt().detailsJson().getBytes(StandardCharsets.UTF_8)));
        } catch (PalyraException e) {
            return Optional.empty(); // the record says in words that it cannot be read
        }
    }

    private static ApprovalVote vote(palyra.api.approval.ApprovalVote vote) {
        return ApprovalVote.newBuilder()
                .setPrincipal(vote.principal())
                .setDecisionScope(ApprovalAnswerMapper.scope(vote.scope()))
                .setShape(ApprovalAnswerMapper.shape(vote.shape()))
                .setDecisionScopeTtlMs(vote.ttlMillis())
                .setMaxUses(vote.maxUses())
                .setReason(vote.reason())
                .setVotedAtUnixMs(vote.atMillis())
                .build();
    }

    private static ApprovalDecision decision(ApprovalState state) {
        return switch (state) {
            case PENDING -> ApprovalDecision.APPROVAL_DECISION_UNSPECIFIED;
            case GRANTED -> ApprovalDecision.APPROVAL_DECISION_ALLOW;
            case DENIED -> ApprovalDecision.APPROVAL_DECISION_DENY;
            case EXPIRED -> ApprovalDecision.APPROVAL_DECISION_TIMEOUT;
            case WITHDRAWN -> ApprovalDecision.APPROVAL_DECISION_ERROR;
        };
    }

    private static ApprovalSubjectType subject(ApprovalSubject subject) {
        return switch (subject) {
            case TOOL -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_TOOL;
            case CHANNEL_SEND -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_CHANNEL_SEND;
            case SECRET_ACCESS -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_SECRET_ACCESS;
            case BROWSER_ACTION -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_BROWSER_ACTION;
            case NODE_CAPABILITY -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_NODE_CAPABILITY;
            case DEVICE_PAIRING -> ApprovalSubjectType.APPROVAL_SUBJECT_TYPE_DEVICE_PAIRING;
        };
    }

    static Grant grant(GrantView grant) {
        Grant.Builder wire =
                Grant.newBuilder()
                        .setGrantId(ApiMapper.id(grant.grantId()))
                        .setApprovalId(ApiMapper.id(grant.approvalId()))
                        .setPrincipal(grant.principal())
                        .setAgentId(grant.agentId())
                        .setTool(grant.tool())
                        .setDecisionScope(ApprovalAnswerMapper.scope(grant.scope()))
                        .setShape(ApprovalAnswerMapper.shape(grant.shape()))
                        .setCovers(grant.covers())
                        .setGrantedBy(grant.grantedBy())
                        .setState(grant.state().name().toLowerCase(Locale.ROOT))
                        .setCreatedAtUnixMs(grant.createdAtMillis())
                        .setExpiresAtUnixMs(grant.expiresAtMillis())
                        .setMaxUses(grant.maxUses())
                        .setUses(grant.uses())
                        .setEndedBy(grant.endedBy());
        if (!grant.sessionId().isEmpty()) {
            wire.setSessionId(ApiMapper.id(grant.sessionId()));
        }
        return wire.build();
    }
}
