package palyra.journal.internal.table;

import com.fasterxml.jackson.databind.JsonNode;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.shared.json.StrictJson;

/**
 * Limits a grant to its approval request: a call that may be allowed once only, for instance
 * because some of its content was hidden from the approvers, is allowed for no other call, no
 * matter which bundle wrote the grant. Pure.
 */
public final class GrantReach {
    private GrantReach() {}

    /**
     * Throws DENIED for a grant beyond the one call that its question is about, when the question
     * says that it is for once only.
     */
    public static void require(ApprovalRow question, GrantRow grant) {
        String onceOnly = onceOnly(question);
        boolean once = grant.callId().equals(question.callId()) && grant.maxUses() == 1;
        if (!onceOnly.isEmpty() && !once) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Approval "
                            + question.approvalId()
                            + " allows call "
                            + question.callId()
                            + " only, and once; the grant covers more. "
                            + onceOnly);
        }
    }

    private static String onceOnly(ApprovalRow question) {
        JsonNode stored = StrictJson.parse(question.payload(), "the stored question");
        return stored.path("call").path("onceOnly").asText("");
    }
}
