package palyra.front.internal.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.shared.json.StrictJson;

/** One approval request in an export: the stored request with all answers. Pure. */
final class ExportRecord {
    private ExportRecord() {}

    /** Returns the record; {@code state} is that at {@code nowMillis}. */
    static JsonNode of(ApprovalRow row, List<ApprovalVoteRow> votes, long nowMillis) {
        ObjectNode record =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("approvalId", row.approvalId())
                        .put("runId", row.runId())
                        .put("callId", row.callId())
                        .put("sessionId", row.sessionId())
                        .put("principal", row.principal())
                        .put("subjectType", row.subjectType())
                        .put("subjectId", row.subjectId())
                        .put("state", ApprovalViews.state(row, nowMillis).name())
                        .put("quorum", row.quorum())
                        .put("createdAtMillis", row.createdAtMillis())
                        .put("expiresAtMillis", row.expiresAtMillis())
                        .put("notices", row.notices())
                        .put("decidedAtMillis", row.decidedAtMillis())
                        .put("decidedBy", row.decidedBy());
        put(record, "question", row.payload());
        put(record, "decision", row.decision());
        ArrayNode all = record.putArray("votes");
        for (ApprovalVoteRow vote : votes) {
            ObjectNode each =
                    all.addObject()
                            .put("principal", vote.principal())
                            .put("votedAtMillis", vote.votedAtMillis());
            put(each, "vote", vote.payload());
        }
        return record;
    }

    /** Invalid JSON is kept as bytes under another name; an empty value is left out. */
    private static void put(ObjectNode into, String name, byte[] stored) {
        if (stored.length == 0) {
            return;
        }
        try {
            into.set(name, StrictJson.parse(stored, "a stored value"));
        } catch (PalyraException e) {
            into.put(name + "Base64", Base64.getEncoder().encodeToString(stored));
        }
    }
}
