package palyra.shared.approval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.approval.ApprovalSubject;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;

/** What approval requests about senders have in common, who want to be answered. Pure. */
public final class PairingApprovals {
    /** The action that decides who may answer such a request; also what its grant is for. */
    public static final String ACTION = "channel.pair";

    /** The stored word of their subject. */
    public static final String SUBJECT_TYPE = ApprovalSubject.DEVICE_PAIRING.name();

    /** Journal event: a sender asks to be answered. */
    private static final String ASKED = "pairing_asked";

    /** Journal event: it was answered, or was not in time. */
    private static final String DECIDED = "pairing_decided";

    private PairingApprovals() {}

    /** Returns the subject of a sender's request, such as {@code sender:telegram:main/42}. */
    public static String subjectId(String connector, String sender) {
        return "sender:" + connector + "/" + sender;
    }

    /** Returns the journal event of a request. */
    public static Operation.Append asked(ApprovalRow row) {
        return event(ASKED, node(row).put("expiresAt", row.expiresAtMillis()));
    }

    /**
     * Returns the journal event of a request's end.
     *
     * @param by who answered; empty when it expired
     * @param grantId the grant of a yes; empty otherwise
     */
    public static Operation.Append decided(
            ApprovalRow row, ApprovalRow.State state, String by, String reason, String grantId) {
        return event(
                DECIDED,
                node(row)
                        .put("state", state.name())
                        .put("decidedBy", by)
                        .put("reason", reason)
                        .put("grantId", grantId));
    }

    private static ObjectNode node(ApprovalRow row) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("approvalId", row.approvalId())
                .put("subjectId", row.subjectId())
                .put("principal", row.principal());
    }

    private static Operation.Append event(String type, ObjectNode payload) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, 1, Jcs.bytes(payload));
    }
}
