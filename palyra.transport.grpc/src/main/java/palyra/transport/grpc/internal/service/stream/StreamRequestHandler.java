package palyra.transport.grpc.internal.service.stream;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.service.GateCalls;
import palyra.transport.grpc.internal.service.Requests;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.common.ToolApprovalResponse;

/**
 * Handles the messages of a client that follows a run: approval answers and cancellations. The
 * credential is authenticated again for each. A refusal is sent as a status and the stream goes on,
 * unless the message cannot be understood or the credential counts no longer.
 */
final class StreamRequestHandler {
    private static final int PAGE = 500;

    private final Seams seams;
    private final Caller caller;
    private final Outbound<RunStreamEvent> out;

    StreamRequestHandler(Seams seams, Caller caller, Outbound<RunStreamEvent> out) {
        this.seams = seams;
        this.caller = caller;
        this.out = out;
    }

    /** Does what a message says. INVALID_ARGUMENT and UNAUTHENTICATED are thrown, to end it all. */
    void handle(RunStreamRequest request, StreamTarget target) throws InterruptedException {
        try {
            Requests.version(request.getV());
            StreamOpening.requireSupported(request);
            requireSame(request, target);
            if (request.hasInput()) {
                out.send(refusal(target, ErrorCode.INVALID_ARGUMENT, secondInput(target)));
            } else {
                act(request, target);
            }
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.INVALID_ARGUMENT || e.code() == ErrorCode.UNAUTHENTICATED) {
                throw e;
            }
            out.send(refusal(target, e.code(), e.getMessage()));
        }
    }

    private static RunStreamEvent refusal(StreamTarget target, ErrorCode code, String message) {
        return target.status(
                StreamStatus.newBuilder().setMessage(message).setCode(code.name()).build());
    }

    private static String secondInput(StreamTarget target) {
        return "This stream follows run "
                + target.runId()
                + " and takes no further input; open another stream for another message.";
    }

    private static void requireSame(RunStreamRequest request, StreamTarget target) {
        String run = Requests.idOrEmpty(request.hasRunId(), request.getRunId(), "run_id");
        Require.that(
                run.isEmpty() || run.equals(target.runId()),
                "run_id is not run " + target.runId() + " of this stream; leave it out");
        String session =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        Require.that(
                session.isEmpty() || session.equals(target.sessionId()),
                "session_id is not the session of this stream; leave it out");
    }

    private void act(RunStreamRequest request, StreamTarget target) {
        Require.that(
                request.hasToolApprovalResponse() != request.getCancelRun(),
                "a message after the first holds either tool_approval_response or cancel_run");
        Principal principal = caller.reauthenticate().principal();
        if (request.getCancelRun()) {
            GateCalls.call(
                    seams.runs(),
                    front -> front.cancel(principal, target.runId(), "cancelled on its stream"));
        } else {
            decide(principal, request.getToolApprovalResponse(), target.runId());
        }
    }

    private void decide(Principal principal, ToolApprovalResponse response, String runId) {
        Requests.gatewayOnly(
                !response.getDecidedBy().isEmpty(), "tool_approval_response.decided_by");
        Requests.gatewayOnly(response.hasGrantId(), "tool_approval_response.grant_id");
        Requests.gatewayOnly(
                response.getApprovedByCount() > 0, "tool_approval_response.approved_by");
        ApprovalScope scope =
                ApprovalAnswerMapper.scope(
                        response.getDecisionScope(),
                        response.getDecisionScopeValue(),
                        "tool_approval_response.decision_scope");
        GrantShape shape =
                ApprovalAnswerMapper.shape(
                        response.getShape(),
                        response.getShapeValue(),
                        "tool_approval_response.shape");
        int maxUses = Requests.number(response.getMaxUses(), "tool_approval_response.max_uses");
        ApprovalAnswer answer =
                new ApprovalAnswer(
                        question(principal, response, runId),
                        response.getApproved(),
                        scope,
                        shape,
                        response.getDecisionScopeTtlMs(),
                        maxUses,
                        response.getReason());
        try {
            GateCalls.run(seams.approvals(), approvals -> approvals.decide(principal, answer));
        } catch (PalyraException e) {
            throw e.code() == ErrorCode.INVALID_ARGUMENT ? notOffered(e) : e;
        }
    }

    /**
     * What was sent could be understood, but the question does not offer it: the stream goes on.
     */
    private static PalyraException notOffered(PalyraException refusal) {
        return new PalyraException(ErrorCode.CONFLICT, refusal.getMessage(), refusal);
    }

    /** Returns the id of the question that is answered, which must be one of this run. */
    private String question(Principal principal, ToolApprovalResponse response, String runId) {
        String approvalId =
                Requests.idOrEmpty(
                        response.hasApprovalId(),
                        response.getApprovalId(),
                        "tool_approval_response.approval_id");
        String proposalId =
                Requests.idOrEmpty(
                        response.hasProposalId(),
                        response.getProposalId(),
                        "tool_approval_response.proposal_id");
        Require.that(
                !approvalId.isEmpty() || !proposalId.isEmpty(),
                "tool_approval_response.approval_id is missing; it says which question is"
                        + " answered");
        ApprovalView found =
                approvalId.isEmpty()
                        ? pending(principal, proposalId, runId)
                        : known(principal, approvalId, runId);
        Require.that(
                proposalId.isEmpty() || proposalId.equals(ProposalIds.of(found.callId())),
                "tool_approval_response.proposal_id is not what approval "
                        + found.approvalId()
                        + " is about; leave it out");
        return found.approvalId();
    }

    private ApprovalView known(Principal principal, String approvalId, String runId) {
        return GateCalls.call(
                        seams.approvals(), approvals -> approvals.approval(principal, approvalId))
                .filter(approval -> approval.runId().equals(runId))
                .orElseThrow(() -> unknown("approval " + approvalId, runId));
    }

    private ApprovalView pending(Principal principal, String proposalId, String runId) {
        String after = "";
        List<ApprovalView> page;
        do {
            String from = after;
            page =
                    GateCalls.call(
                            seams.approvals(),
                            approvals -> approvals.pending(principal, runId, from, PAGE));
            for (ApprovalView approval : page) {
                if (ProposalIds.of(approval.callId()).equals(proposalId)) {
                    return approval;
                }
                after = approval.approvalId();
            }
        } while (page.size() == PAGE);
        throw unknown("open question about proposal " + proposalId, runId);
    }

    private static PalyraException unknown(String what, String runId) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "There is no " + what + " of run " + runId + " that you may answer.");
    }
}
