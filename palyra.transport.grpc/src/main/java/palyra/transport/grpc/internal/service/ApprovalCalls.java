package palyra.transport.grpc.internal.service;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.OpenStreams;
import palyra.transport.grpc.internal.service.stream.ApprovalAnswerMapper;
import palyra.transport.grpc.internal.service.stream.Outbound;
import palyra.transport.grpc.internal.service.stream.StreamHandle;
import palyra.transport.grpc.internal.service.stream.StreamThread;
import palyra.transport.grpc.internal.wire.gateway.ApprovalDecision;
import palyra.transport.grpc.internal.wire.gateway.ApprovalSubjectType;
import palyra.transport.grpc.internal.wire.gateway.DecideApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.DecideApprovalResponse;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsResponse;
import palyra.transport.grpc.internal.wire.gateway.GetApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.GetApprovalResponse;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsResponse;

/** Calls about questions to people. Thread-safe. */
final class ApprovalCalls {
    private static final int USUAL = 100;
    private static final int MOST = 500;
    private static final int USUAL_EXPORT = 1_000;
    private static final int MOST_EXPORT = 5_000;

    private final Gate<Approvals> approvals;

    ApprovalCalls(Gate<Approvals> approvals) {
        this.approvals = approvals;
    }

    ListApprovalsResponse list(Caller caller, ListApprovalsRequest request) {
        Requests.version(request.getV());
        int limit = Requests.limit(request.getLimit(), USUAL, MOST);
        String after = request.getAfterApprovalUlid();
        Require.that(
                after.isEmpty() || Ulids.isUlid(after),
                "after_approval_ulid '" + Requests.brief(after) + "' is not a ULID");
        Optional<ApprovalState> state = state(request.getDecision(), request.getDecisionValue());
        Require.that(
                !request.getPendingOnly() || state.isEmpty(),
                "pending_only and decision contradict each other; use one of them");
        ApprovalQuery query =
                new ApprovalQuery(
                        request.getPendingOnly() ? Optional.of(ApprovalState.PENDING) : state,
                        subject(request.getSubjectType(), request.getSubjectTypeValue()),
                        name(request.getSubjectId(), "subject_id"),
                        name(request.getPrincipal(), "principal"),
                        Requests.idOrEmpty(request.hasRunId(), request.getRunId(), "run_id"),
                        Requests.idOrEmpty(
                                request.hasSessionId(), request.getSessionId(), "session_id"),
                        time(request.getSinceUnixMs(), "since_unix_ms"),
                        time(request.getUntilUnixMs(), "until_unix_ms"));
        List<ApprovalView> page =
                GateCalls.call(
                        approvals, front -> front.list(caller.principal(), query, after, limit));
        ListApprovalsResponse.Builder response = ListApprovalsResponse.newBuilder().setV(1);
        page.forEach(view -> response.addApprovals(ApprovalMapper.record(view)));
        if (page.size() == limit) {
            response.setNextAfterApprovalUlid(page.get(limit - 1).approvalId());
        }
        return response.build();
    }

    private static String name(String text, String field) {
        return Requests.atMost(text, Requests.MAX_NAME, field);
    }

    private static long time(long unixMillis, String field) {
        Require.that(unixMillis >= 0, field + " is " + unixMillis + "; 0 means any time");
        return unixMillis;
    }

    private static Optional<ApprovalState> state(ApprovalDecision decision, int number) {
        return switch (decision) {
            case APPROVAL_DECISION_UNSPECIFIED -> Optional.empty();
            case APPROVAL_DECISION_ALLOW -> Optional.of(ApprovalState.GRANTED);
            case APPROVAL_DECISION_DENY -> Optional.of(ApprovalState.DENIED);
            case APPROVAL_DECISION_TIMEOUT -> Optional.of(ApprovalState.EXPIRED);
            case APPROVAL_DECISION_ERROR -> Optional.of(ApprovalState.WITHDRAWN);
            case UNRECOGNIZED -> throw unknown("decision", number);
        };
    }

    private static Optional<ApprovalSubject> subject(ApprovalSubjectType type, int number) {
        return switch (type) {
            case APPROVAL_SUBJECT_TYPE_UNSPECIFIED -> Optional.empty();
            case APPROVAL_SUBJECT_TYPE_TOOL -> Optional.of(ApprovalSubject.TOOL);
            case APPROVAL_SUBJECT_TYPE_CHANNEL_SEND -> Optional.of(ApprovalSubject.CHANNEL_SEND);
            case APPROVAL_SUBJECT_TYPE_SECRET_ACCESS -> Optional.of(ApprovalSubject.SECRET_ACCESS);
            case APPROVAL_SUBJECT_TYPE_BROWSER_ACTION ->
                    Optional.of(ApprovalSubject.BROWSER_ACTION);
            case APPROVAL_SUBJECT_TYPE_NODE_CAPABILITY ->
                    Optional.of(ApprovalSubject.NODE_CAPABILITY);
            case APPROVAL_SUBJECT_TYPE_DEVICE_PAIRING ->
                    Optional.of(ApprovalSubject.DEVICE_PAIRING);
            case UNRECOGNIZED -> throw unknown("subject_type", number);
        };
    }

    private static PalyraException unknown(String field, int number) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                field + " is " + number + ", which is no value that this version knows");
    }

    GetApprovalResponse get(Caller caller, GetApprovalRequest request) {
        Requests.version(request.getV());
        String id = Requests.id(request.hasApprovalId(), request.getApprovalId(), "approval_id");
        ApprovalView found =
                GateCalls.call(approvals, front -> front.approval(caller.principal(), id))
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "There is no approval "
                                                        + id
                                                        + " that you may see; list approvals."));
        return GetApprovalResponse.newBuilder()
                .setV(1)
                .setApproval(ApprovalMapper.record(found))
                .build();
    }

    DecideApprovalResponse decide(Caller caller, DecideApprovalRequest request) {
        Requests.version(request.getV());
        ApprovalAnswer answer =
                new ApprovalAnswer(
                        Requests.id(
                                request.hasApprovalId(), request.getApprovalId(), "approval_id"),
                        request.getApproved(),
                        ApprovalAnswerMapper.scope(
                                request.getDecisionScope(),
                                request.getDecisionScopeValue(),
                                "decision_scope"),
                        ApprovalAnswerMapper.shape(
                                request.getShape(), request.getShapeValue(), "shape"),
                        request.getDecisionScopeTtlMs(),
                        Requests.number(request.getMaxUses(), "max_uses"),
                        request.getReason());
        ApprovalView view =
                GateCalls.call(approvals, front -> front.decide(caller.principal(), answer));
        return DecideApprovalResponse.newBuilder()
                .setV(1)
                .setApproval(ApprovalMapper.record(view))
                .build();
    }

    /** Sends as fast as the client reads. */
    void export(
            Caller caller,
            OpenStreams streams,
            ExportApprovalsRequest request,
            ServerCallStreamObserver<ExportApprovalsResponse> client) {
        Requests.version(request.getV());
        int limit = Requests.limit(request.getLimit(), USUAL_EXPORT, MOST_EXPORT);
        ApprovalQuery query =
                new ApprovalQuery(
                        state(request.getDecision(), request.getDecisionValue()),
                        subject(request.getSubjectType(), request.getSubjectTypeValue()),
                        name(request.getSubjectId(), "subject_id"),
                        name(request.getPrincipal(), "principal"),
                        "",
                        "",
                        time(request.getSinceUnixMs(), "since_unix_ms"),
                        time(request.getUntilUnixMs(), "until_unix_ms"));
        ApprovalExportFormat format =
                switch (request.getFormat()) {
                    case APPROVAL_EXPORT_FORMAT_UNSPECIFIED, APPROVAL_EXPORT_FORMAT_NDJSON ->
                            ApprovalExportFormat.NDJSON;
                    case APPROVAL_EXPORT_FORMAT_JSON -> ApprovalExportFormat.JSON;
                    case UNRECOGNIZED -> throw unknown("format", request.getFormatValue());
                };
        Outbound<ExportApprovalsResponse> out = new Outbound<>(client);
        StreamHandle.list(streams, caller, out);
        StreamThread.start(
                "palyra-grpc-export",
                out,
                () -> {
                    Sink sink = new Sink(out);
                    GateCalls.run(
                            approvals,
                            front ->
                                    front.export(
                                            caller.principal(), query, format, limit, sink::take));
                    sink.done();
                });
    }

    /** Where chunks go. A front that is about to leave is let go of. Used by one thread. */
    private final class Sink {
        private final Outbound<ExportApprovalsResponse> out;
        private int chunks;

        Sink(Outbound<ExportApprovalsResponse> out) {
            this.out = out;
        }

        void take(byte[] chunk) {
            ExportApprovalsResponse.Builder part =
                    ExportApprovalsResponse.newBuilder()
                            .setV(1)
                            .setChunk(ByteString.copyFrom(chunk))
                            .setChunkSeq(chunks++);
            try {
                if (out.send(part.build(), approvals::isPresent)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new PalyraException(
                    out.isOver() ? ErrorCode.CANCELLED : ErrorCode.GATEWAY_UNAVAILABLE,
                    "The export was broken off; export again.");
        }

        void done() throws InterruptedException {
            out.send(
                    ExportApprovalsResponse.newBuilder()
                            .setV(1)
                            .setChunkSeq(chunks)
                            .setDone(true)
                            .build());
            out.complete();
        }
    }
}
