package palyra.shared.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.JournalReader;

/**
 * An approval request as the journal stores it, and its content. Immutable.
 *
 * @param question empty when it cannot be read or contradicts its row: then it counts as no
 */
public record StoredApprovalRequest(ApprovalRow row, Optional<ApprovalRequestBody> question) {
    private static final int PAGE = 100;

    /** Reads the question of a row. */
    public static StoredApprovalRequest of(ApprovalRow row) {
        try {
            ApprovalRequestBody read =
                    ApprovalRequestCodec.question(row.payload()).endingAt(row.expiresAtMillis());
            return new StoredApprovalRequest(
                    row, fits(read, row) ? Optional.of(read) : Optional.empty());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return new StoredApprovalRequest(row, Optional.empty());
        }
    }

    /**
     * Returns open questions that cannot be read, in the order of their ids.
     *
     * @param runId of this run; empty for every run
     * @param mostRead how many open questions are read for it
     */
    public static List<StoredApprovalRequest> unreadable(
            JournalReader journal, String runId, int mostRead) {
        ApprovalFilter open = ApprovalFilter.in(ApprovalRow.State.PENDING, runId);
        List<StoredApprovalRequest> found = new ArrayList<>();
        List<ApprovalRow> page = List.of();
        int read = 0;
        do {
            String after = page.isEmpty() ? "" : page.getLast().approvalId();
            page = journal.approvals(open, after, Math.min(PAGE, mostRead - read));
            read += page.size();
            page.stream()
                    .map(StoredApprovalRequest::of)
                    .filter(each -> each.question().isEmpty())
                    .forEach(found::add);
        } while (!page.isEmpty() && read < mostRead);
        return found;
    }

    private static boolean fits(ApprovalRequestBody read, ApprovalRow row) {
        return read.approvalId().equals(row.approvalId())
                && read.origin().runId().equals(row.runId())
                && read.origin().callId().equals(row.callId())
                && read.origin().principal().equals(row.principal())
                && read.terms().quorum() == row.quorum();
    }

    /** Returns the id of the approval. */
    public String id() {
        return row.approvalId();
    }

    /** Returns the error for one that cannot be read, with the remedy. */
    public String unreadableSentence() {
        return "Approval "
                + id()
                + " cannot be read: it counts as no and takes no yes. Answer no to end the wait"
                + " (palyra approvals decide "
                + id()
                + " --deny), and run palyra tape verify.";
    }

    /** Returns the question; CORRUPT when it cannot be read. */
    public ApprovalRequestBody readable() {
        return question.orElseThrow(
                () -> new PalyraException(ErrorCode.CORRUPT, unreadableSentence()));
    }
}
