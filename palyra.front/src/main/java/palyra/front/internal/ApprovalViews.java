package palyra.front.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.core.journal.ApprovalRow;
import palyra.shared.json.StrictJson;

/** Questions as surfaces see them. Pure. */
final class ApprovalViews {
    private ApprovalViews() {}

    /** Returns where a question stands at a time: one whose time is over has expired. */
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

    static ApprovalView view(ApprovalRow row, long nowMillis) {
        ApprovalState state = state(row, nowMillis);
        boolean overdue =
                row.state() == ApprovalRow.State.PENDING && state != ApprovalState.PENDING;
        return new ApprovalView(
                row.approvalId(),
                row.runId(),
                row.callId(),
                state,
                details(row),
                row.createdAtMillis(),
                row.expiresAtMillis(),
                overdue ? row.expiresAtMillis() : row.decidedAtMillis(),
                row.decidedBy());
    }

    /**
     * Returns the prompt within an {@code approval_request} record; else the stored JSON itself.
     */
    private static String details(ApprovalRow row) {
        JsonNode details = StrictJson.parse(row.payload(), "a stored question").path("detailsJson");
        return details.isTextual()
                ? details.textValue()
                : new String(row.payload(), StandardCharsets.UTF_8);
    }
}
