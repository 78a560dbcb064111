package palyra.front.internal.approval;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.shared.approval.Question;
import palyra.shared.approval.QuestionCodec;

/**
 * A question as the journal keeps it, and what it says. Immutable.
 *
 * @param question empty when it cannot be read or contradicts its row: then it counts as no
 */
record Asked(ApprovalRow row, Optional<Question> question) {
    static Asked of(ApprovalRow row) {
        try {
            Question read = QuestionCodec.question(row.payload()).endingAt(row.expiresAtMillis());
            return new Asked(row, fits(read, row) ? Optional.of(read) : Optional.empty());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return new Asked(row, Optional.empty());
        }
    }

    private static boolean fits(Question read, ApprovalRow row) {
        return read.approvalId().equals(row.approvalId())
                && read.origin().runId().equals(row.runId())
                && read.origin().callId().equals(row.callId())
                && read.origin().principal().equals(row.principal())
                && read.terms().quorum() == row.quorum();
    }

    String id() {
        return row.approvalId();
    }

    /** Returns the question, or throws CORRUPT: nobody says yes to what nobody can read. */
    Question readable() {
        return question.orElseThrow(
                () ->
                        new PalyraException(
                                ErrorCode.CORRUPT,
                                "Approval "
                                        + id()
                                        + " cannot be read, so nobody can say yes to it: it counts"
                                        + " as no. Answer no to end the wait, and run palyra"
                                        + " tape verify."));
    }
}
