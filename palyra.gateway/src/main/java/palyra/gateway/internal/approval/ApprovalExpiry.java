package palyra.gateway.internal.approval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.tape.TapeCodec;

/**
 * Expires approval requests whose time is over and sends reminders shortly before. A person who
 * answers at the same moment wins or loses by the journal; a request that changed meanwhile is
 * handled by the next look. Used by one thread.
 */
public final class ApprovalExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalExpiry.class);

    /** Journal event: people are reminded of an open question. */
    public static final String REMINDED = "approval_reminded";

    /** Journal event: those who are asked last may answer from now on. */
    public static final String ESCALATED = "approval_escalated";

    private static final int PAGE = 100;

    private final Gate<Journal> journal;
    private final Consumer<Unit.Builder> commit;
    private final ApprovalMeter meter;

    /**
     * Creates it.
     *
     * @param commit commits a unit as the engine
     */
    public ApprovalExpiry(
            Gate<Journal> journal, Consumer<Unit.Builder> commit, ApprovalMeter meter) {
        this.journal = journal;
        this.commit = commit;
        this.meter = meter;
    }

    /** Looks once; a full page is followed by the next look. */
    public void run(long nowMillis) {
        for (ApprovalRow row : journal.call(j -> j.approvalsDue(nowMillis, PAGE))) {
            try {
                act(row, nowMillis);
            } catch (PalyraException e) {
                if (e.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
                    throw e;
                }
                LOG.info(
                        "Approval request {} was left unchanged: {}",
                        row.approvalId(),
                        e.getMessage());
            }
        }
    }

    private void act(ApprovalRow row, long nowMillis) {
        if (row.expiresAtMillis() <= nowMillis) {
            commit.accept(expire(row));
        } else {
            commit.accept(remind(row));
            meter.reminded();
        }
    }

    private static Unit.Builder expire(ApprovalRow row) {
        ApprovalRow.State expired = ApprovalRow.State.EXPIRED;
        return Unit.builder()
                .add(new Operation.DecideApproval(row.approvalId(), expired, ""))
                .add(
                        row.isPairing()
                                ? PairingApprovals.decided(row, expired, "", "", "")
                                : TapeCodec.append(
                                        row.runId(),
                                        TapeEvent.ApprovalDecision.expired(
                                                row.approvalId(), row.callId())));
    }

    /** The first notice is a reminder, a second one says that others may answer as well. */
    private static Unit.Builder remind(ApprovalRow row) {
        ApprovalRequestBody.Terms terms = terms(row);
        boolean first = row.notices() == 0;
        boolean escalates = terms != null && terms.escalateAtMillis() > 0;
        long next = first && escalates ? terms.escalateAtMillis() : 0;
        List<String> to =
                terms == null ? List.of() : first ? terms.approvers() : terms.escalateTo();
        return Unit.builder()
                .add(new Operation.NoteApproval(row.approvalId(), row.notices(), next))
                .add(event(row, first ? REMINDED : ESCALATED, to));
    }

    private static ApprovalRequestBody.Terms terms(ApprovalRow row) {
        return StoredApprovalRequest.of(row)
                .question()
                .map(ApprovalRequestBody::terms)
                .orElse(null);
    }

    private static Operation.Append event(ApprovalRow row, String type, List<String> to) {
        ObjectNode payload =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("approval_id", row.approvalId())
                        .put("run_id", row.runId())
                        .put("call_id", row.callId())
                        .put("principal", row.principal())
                        .put("expires_at", row.expiresAtMillis());
        to.forEach(payload.putArray("to")::add);
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, 1, Jcs.bytes(payload));
    }
}
