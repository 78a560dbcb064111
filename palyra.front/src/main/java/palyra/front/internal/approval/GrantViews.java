package palyra.front.internal.approval;

import java.util.Optional;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.approval.GrantState;
import palyra.api.approval.GrantView;
import palyra.api.core.journal.GrantRow;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;

/** Grants as surfaces see them. Pure. */
final class GrantViews {
    private GrantViews() {}

    /** Returns the state of a grant at a time: one whose time is over has expired. */
    static GrantState state(GrantRow row, long nowMillis) {
        return switch (row.state()) {
            case ACTIVE ->
                    row.expiresAtMillis() != 0 && row.expiresAtMillis() <= nowMillis
                            ? GrantState.EXPIRED
                            : GrantState.ACTIVE;
            case EXHAUSTED -> GrantState.EXHAUSTED;
            case EXPIRED -> GrantState.EXPIRED;
            case REVOKED -> GrantState.REVOKED;
        };
    }

    static GrantView view(GrantRow row, long nowMillis) {
        Optional<Coverage> coverage = coverage(row);
        return new GrantView(
                row.grantId(),
                row.approvalId(),
                row.principal(),
                row.agentId(),
                row.sessionId(),
                row.tool(),
                coverage.map(each -> StoredValues.scope(each.scope())).orElse(ApprovalScope.ONCE),
                coverage.map(each -> StoredValues.shape(each.shape())).orElse(GrantShape.EXACT),
                coverage.map(Coverage::covers)
                        .orElse("What it covers cannot be read, so it covers nothing."),
                coverage.map(GrantViews::voters).orElse(""),
                state(row, nowMillis),
                row.createdAtMillis(),
                row.expiresAtMillis(),
                row.maxUses(),
                row.uses(),
                row.endedBy());
    }

    private static String voters(Coverage coverage) {
        return coverage.voters().stream()
                .map(Coverage.Voter::principal)
                .collect(Collectors.joining(","));
    }

    private static Optional<Coverage> coverage(GrantRow row) {
        try {
            return Optional.of(ApprovalRequestCodec.coverage(row.payload()));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
