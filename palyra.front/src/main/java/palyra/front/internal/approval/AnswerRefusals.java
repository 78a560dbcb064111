package palyra.front.internal.approval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.json.Jcs;

/** Why an answer is refused, for its caller. Pure. */
final class AnswerRefusals {
    private AnswerRefusals() {}

    /** Throws CONFLICT with the outcome unless the request is still pending. */
    static void requireOpen(ApprovalRow row) {
        switch (row.state()) {
            case PENDING -> {}
            case GRANTED -> throw late(row, "was granted by " + row.decidedBy() + at(row));
            case DENIED -> throw late(row, "was denied by " + row.decidedBy() + at(row));
            case EXPIRED -> throw expired(row);
            case WITHDRAWN -> throw late(row, "was withdrawn, because its run ended first");
        }
    }

    /**
     * Throws CONFLICT when nothing changed although an answer was not taken: then its time is over
     * by the journal's clock.
     */
    static void requireChanged(ApprovalRow before, ApprovalRow now) {
        if (now.state() == ApprovalRow.State.PENDING && now.votes() == before.votes()) {
            throw expired(now);
        }
    }

    private static PalyraException expired(ApprovalRow row) {
        return late(
                row,
                "expired at "
                        + Instant.ofEpochMilli(row.expiresAtMillis())
                        + " without "
                        + (row.votes() == 0 ? "an answer" : "enough answers")
                        + ", which means no");
    }

    private static PalyraException late(ApprovalRow row, String what) {
        return conflict(
                "Approval " + row.approvalId() + " takes no answer any more: it " + what + ".");
    }

    private static String at(ApprovalRow row) {
        return " at " + Instant.ofEpochMilli(row.decidedAtMillis());
    }

    /** Throws CONFLICT when the principal said yes before. */
    static void requireFirst(ApprovalRow row, List<ApprovalVoteRow> votes, Principal principal) {
        for (ApprovalVoteRow vote : votes) {
            if (isBy(vote, principal)) {
                throw conflict(
                        vote.principal()
                                + " said yes to approval "
                                + row.approvalId()
                                + " at "
                                + Instant.ofEpochMilli(vote.votedAtMillis())
                                + " and answers once; "
                                + (row.quorum() - votes.size())
                                + " of "
                                + row.quorum()
                                + " answers are missing, from others.");
            }
        }
    }

    /** A person has one vote, through all of its credentials. */
    private static boolean isBy(ApprovalVoteRow vote, Principal principal) {
        return vote.principal().equals(principal.id())
                || ApprovalViews.read(vote.payload(), vote.principal())
                        .person()
                        .equals(principal.person());
    }

    static PalyraException busy(String approvalId) {
        return conflict(
                "Approval "
                        + approvalId
                        + " was changed by others again and again; look at it and answer again.");
    }

    /** Returns the failure for an answer of which it is unknown whether it was recorded. */
    static PalyraException uncertain(String approvalId, PalyraException failure) {
        return new PalyraException(
                failure.code(),
                "The journal did not say whether the answer to approval "
                        + approvalId
                        + " was recorded; look at the approval request before you answer again.",
                failure);
    }

    private static PalyraException conflict(String message) {
        return new PalyraException(ErrorCode.CONFLICT, message);
    }

    /** Returns the payload of an {@code approval_refused} journal event. */
    static byte[] record(
            ApprovalRequestBody question, Principal principal, PalyraException refusal) {
        return Jcs.bytes(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("approvalId", question.approvalId())
                        .put("runId", question.origin().runId())
                        .put("callId", question.origin().callId())
                        .put("principal", principal.id())
                        .put("reason", refusal.getMessage()));
    }
}
