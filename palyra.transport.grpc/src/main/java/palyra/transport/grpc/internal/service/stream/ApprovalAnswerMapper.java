package palyra.transport.grpc.internal.service.stream;

import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.transport.grpc.internal.service.Requests;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
import palyra.transport.grpc.internal.wire.common.ApprovalGrantShape;

/** Maps the scope and shape of approval answers to and from messages. Pure functions. */
public final class ApprovalAnswerMapper {
    private ApprovalAnswerMapper() {}

    /** Returns a scope; nothing said means ONCE. INVALID_ARGUMENT for an unknown number. */
    public static ApprovalScope scope(ApprovalDecisionScope scope, int number, String field) {
        return switch (scope) {
            case APPROVAL_DECISION_SCOPE_UNSPECIFIED, APPROVAL_DECISION_SCOPE_ONCE ->
                    ApprovalScope.ONCE;
            case APPROVAL_DECISION_SCOPE_SESSION -> ApprovalScope.SESSION;
            case APPROVAL_DECISION_SCOPE_TIMEBOXED -> ApprovalScope.TIMEBOXED;
            case UNRECOGNIZED -> {
                Requests.known(null, number, field);
                yield ApprovalScope.ONCE;
            }
        };
    }

    /** Returns a shape; nothing said means EXACT. INVALID_ARGUMENT for an unknown number. */
    public static GrantShape shape(ApprovalGrantShape shape, int number, String field) {
        return switch (shape) {
            case APPROVAL_GRANT_SHAPE_UNSPECIFIED, APPROVAL_GRANT_SHAPE_EXACT -> GrantShape.EXACT;
            case APPROVAL_GRANT_SHAPE_PATTERN -> GrantShape.PATTERN;
            case UNRECOGNIZED -> {
                Requests.known(null, number, field);
                yield GrantShape.EXACT;
            }
        };
    }

    /** Returns a scope as on the wire. */
    public static ApprovalDecisionScope scope(ApprovalScope scope) {
        return switch (scope) {
            case ONCE -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_ONCE;
            case SESSION -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_SESSION;
            case TIMEBOXED -> ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_TIMEBOXED;
        };
    }

    /** Returns a shape as on the wire. */
    public static ApprovalGrantShape shape(GrantShape shape) {
        return switch (shape) {
            case EXACT -> ApprovalGrantShape.APPROVAL_GRANT_SHAPE_EXACT;
            case PATTERN -> ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN;
        };
    }
}
