package palyra.transport.grpc.internal.service;

import java.util.List;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantView;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.ListGrantsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListGrantsResponse;
import palyra.transport.grpc.internal.wire.gateway.RevokeGrantRequest;
import palyra.transport.grpc.internal.wire.gateway.RevokeGrantResponse;

/** Calls about what answers cover. Thread-safe. */
final class GrantCalls {
    private static final int USUAL = 100;
    private static final int MOST = 500;
    private static final int LONGEST_REASON = 1_000;

    private final Gate<Approvals> approvals;

    GrantCalls(Gate<Approvals> approvals) {
        this.approvals = approvals;
    }

    ListGrantsResponse list(Caller caller, ListGrantsRequest request) {
        Requests.version(request.getV());
        String session =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        String after =
                Requests.idOrEmpty(
                        request.hasAfterGrantId(), request.getAfterGrantId(), "after_grant_id");
        int limit = Requests.limit(request.getLimit(), USUAL, MOST);
        List<GrantView> page =
                GateCalls.call(
                        approvals,
                        front ->
                                front.grants(
                                        caller.principal(),
                                        session,
                                        request.getActiveOnly(),
                                        after,
                                        limit));
        ListGrantsResponse.Builder response = ListGrantsResponse.newBuilder().setV(1);
        page.forEach(grant -> response.addGrants(ApprovalMapper.grant(grant)));
        if (page.size() == limit) {
            response.setNextAfterGrantId(ApiMapper.id(page.get(limit - 1).grantId()));
        }
        return response.build();
    }

    RevokeGrantResponse revoke(Caller caller, RevokeGrantRequest request) {
        Requests.version(request.getV());
        String id = Requests.id(request.hasGrantId(), request.getGrantId(), "grant_id");
        String reason = Requests.atMost(request.getReason(), LONGEST_REASON, "reason");
        GrantView revoked =
                GateCalls.call(approvals, front -> front.revoke(caller.principal(), id, reason));
        return RevokeGrantResponse.newBuilder()
                .setV(1)
                .setGrant(ApprovalMapper.grant(revoked))
                .build();
    }
}
