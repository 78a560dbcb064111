package palyra.transport.grpc.internal.service.stream;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.transport.grpc.internal.service.ApiMapper;
import palyra.transport.grpc.internal.wire.common.ApprovalPrompt;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.common.ToolApprovalRequest;
import palyra.transport.grpc.internal.wire.common.ToolApprovalResponse;
import palyra.transport.grpc.internal.wire.common.ToolAttestation;
import palyra.transport.grpc.internal.wire.common.ToolDecision;
import palyra.transport.grpc.internal.wire.common.ToolDecision.DecisionKind;
import palyra.transport.grpc.internal.wire.common.ToolProposal;
import palyra.transport.grpc.internal.wire.common.ToolResult;

/** Maps records of tool calls to messages. Pure functions. */
final class ToolEventMapper {
    private static final String POLICY = "POLICY";

    private ToolEventMapper() {}

    static ToolProposal proposal(TapeEvent.ToolCallProposal proposal) {
        return ToolProposal.newBuilder()
                .setProposalId(proposalId(proposal.callId()))
                .setToolName(proposal.tool())
                .setInputJson(json(proposal.inputJson()))
                .build();
    }

    private static CanonicalId proposalId(String callId) {
        return ApiMapper.id(ProposalIds.of(callId));
    }

    private static ByteString json(String text) {
        return ByteString.copyFromUtf8(text);
    }

    static ToolDecision decision(TapeEvent.ToolDecision decision) {
        DecisionKind kind =
                switch (decision.verdict()) {
                    case ALLOW -> DecisionKind.DECISION_KIND_ALLOW;
                    case DENY -> DecisionKind.DECISION_KIND_DENY;
                    case APPROVAL_REQUIRED -> DecisionKind.DECISION_KIND_UNSPECIFIED;
                };
        return ToolDecision.newBuilder()
                .setProposalId(proposalId(decision.callId()))
                .setKind(kind)
                .setReason(decision.reason())
                .setApprovalRequired(decision.verdict() == TapeEvent.Verdict.APPROVAL_REQUIRED)
                .setPolicyEnforced(decision.source().equals(POLICY))
                .setReasonCode(decision.reasonCode())
                .addAllPolicyIds(decision.policyIds())
                .build();
    }

    /** Returns a question; {@code proposal} is what it is about, if that is known. */
    static ToolApprovalRequest request(
            TapeEvent.ApprovalRequest request,
            long askedAtMillis,
            Optional<TapeEvent.ToolCallProposal> proposal) {
        long leftMillis = Math.max(0, request.expiresAtMillis() - askedAtMillis);
        long leftSeconds = Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.toSeconds(leftMillis));
        ToolApprovalRequest.Builder wire =
                ToolApprovalRequest.newBuilder()
                        .setProposalId(proposalId(request.callId()))
                        .setApprovalRequired(true)
                        .setApprovalId(ApiMapper.id(request.approvalId()))
                        .setPrompt(
                                ApprovalPrompt.newBuilder()
                                        .setTimeoutSeconds((int) leftSeconds)
                                        .setDetailsJson(json(request.detailsJson())));
        proposal.ifPresent(
                found -> wire.setToolName(found.tool()).setInputJson(json(found.inputJson())));
        wire.setExpiresAtUnixMs(request.expiresAtMillis()).setQuorum(request.quorum());
        question(request).ifPresent(question -> show(question, request, wire));
        return wire.build();
    }

    private static void show(
            ApprovalRequestBody question,
            TapeEvent.ApprovalRequest request,
            ToolApprovalRequest.Builder wire) {
        int timeoutSeconds = wire.getPrompt().getTimeoutSeconds();
        wire.setPrompt(
                        ApprovalPromptMapper.prompt(question, request.detailsJson()).toBuilder()
                                .setTimeoutSeconds(timeoutSeconds))
                .setRequestSummary(question.requestSummary())
                .addAllApprovers(question.terms().approvers())
                .setCall(ApprovalPromptMapper.call(question));
    }

    /** One that cannot be read is shown by its details alone. */
    private static Optional<ApprovalRequestBody> question(TapeEvent.ApprovalRequest request) {
        try {
            return Optional.of(
                    ApprovalRequestCodec.question(
                            request.detailsJson().getBytes(StandardCharsets.UTF_8)));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    static ToolApprovalResponse answer(TapeEvent.ApprovalDecision answer) {
        String[] scope = answer.scope().split(":", 2);
        ToolApprovalResponse.Builder wire = ToolApprovalResponse.newBuilder();
        if (!answer.grantId().isEmpty()) {
            wire.setGrantId(ApiMapper.id(answer.grantId()));
        }
        return wire.setProposalId(proposalId(answer.callId()))
                .setApprovalId(ApiMapper.id(answer.approvalId()))
                .setApproved(answer.granted())
                .setReason(answer.reason())
                .setDecisionScope(ApprovalPromptMapper.scope(scope[0]))
                .setDecisionScopeTtlMs(scope.length == 1 ? 0 : millis(scope[1]))
                .setDecidedBy(answer.decidedBy())
                .setShape(ApprovalPromptMapper.shape(answer.shape()))
                .addAllApprovedBy(answer.approvedBy())
                .build();
    }

    private static long millis(String digits) {
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : 0;
    }

    static ToolResult result(TapeEvent.ToolCallOutput output) {
        return ToolResult.newBuilder()
                .setProposalId(proposalId(output.callId()))
                .setSuccess(output.outcome() == TapeEvent.Outcome.SUCCEEDED)
                .setOutputJson(json(output.outputJson()))
                .setError(output.error())
                .setOutcome(output.outcome().name().toLowerCase(Locale.ROOT))
                .build();
    }

    static ToolAttestation attestation(TapeEvent.ToolAttestation attestation) {
        return ToolAttestation.newBuilder()
                .setProposalId(proposalId(attestation.callId()))
                .setAttestationId(ApiMapper.id(attestation.attestationId()))
                .setExecutionSha256(attestation.executionSha256())
                .setExecutedAtUnixMs(attestation.executedAtMillis())
                .setTimedOut(attestation.timedOut())
                .setExecutor(attestation.executor())
                .setSandboxEnforcement(attestation.sandboxEnforcement())
                .setKeyId(attestation.keyId())
                .setSignature(attestation.signature())
                .build();
    }
}
