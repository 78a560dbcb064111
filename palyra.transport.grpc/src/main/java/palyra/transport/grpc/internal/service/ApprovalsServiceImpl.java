package palyra.transport.grpc.internal.service;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Callers;
import palyra.transport.grpc.internal.wire.gateway.ApprovalsServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.DecideApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.DecideApprovalResponse;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsResponse;
import palyra.transport.grpc.internal.wire.gateway.GetApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.GetApprovalResponse;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsResponse;
import palyra.transport.grpc.internal.wire.gateway.ListGrantsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListGrantsResponse;
import palyra.transport.grpc.internal.wire.gateway.RevokeGrantRequest;
import palyra.transport.grpc.internal.wire.gateway.RevokeGrantResponse;

/** The rpcs of {@code ApprovalsService}; as {@link GatewayServiceImpl}. Thread-safe. */
public final class ApprovalsServiceImpl extends ApprovalsServiceGrpc.ApprovalsServiceImplBase {
    private final Seams seams;
    private final ApprovalCalls approvals;
    private final GrantCalls grants;

    /** Creates the service; nothing behind the seams needs to be there. */
    public ApprovalsServiceImpl(Seams seams) {
        this.seams = seams;
        this.approvals = new ApprovalCalls(seams.approvals());
        this.grants = new GrantCalls(seams.approvals());
    }

    @Override
    public void listApprovals(
            ListApprovalsRequest request, StreamObserver<ListApprovalsResponse> client) {
        ApiMapper.reply(client, approvals.list(Callers.current(), request));
    }

    @Override
    public void getApproval(
            GetApprovalRequest request, StreamObserver<GetApprovalResponse> client) {
        ApiMapper.reply(client, approvals.get(Callers.current(), request));
    }

    @Override
    public void exportApprovals(
            ExportApprovalsRequest request, StreamObserver<ExportApprovalsResponse> client) {
        approvals.export(
                Callers.current(),
                seams.streams(),
                request,
                (ServerCallStreamObserver<ExportApprovalsResponse>) client);
    }

    @Override
    public void decideApproval(
            DecideApprovalRequest request, StreamObserver<DecideApprovalResponse> client) {
        ApiMapper.reply(client, approvals.decide(Callers.current(), request));
    }

    @Override
    public void listGrants(ListGrantsRequest request, StreamObserver<ListGrantsResponse> client) {
        ApiMapper.reply(client, grants.list(Callers.current(), request));
    }

    @Override
    public void revokeGrant(
            RevokeGrantRequest request, StreamObserver<RevokeGrantResponse> client) {
        ApiMapper.reply(client, grants.revoke(Callers.current(), request));
    }
}
