package palyra.channels.internal.approval;

import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.connector.Texts;

/** What a card shows once its request is over: what it was about, how it ended, and why. Pure. */
final class CardEnd {
    private static final int MOST_SUMMARY = 600; // the whole was there while it was asked
    private static final int MOST_REASON = 600;

    /** Title of a request of which no more is known. */
    static final String UNREADABLE = "An approval request that cannot be read";

    private CardEnd() {}

    static String text(ApprovalRow row) {
        Optional<ApprovalRequestBody.Prompt> prompt =
                StoredApprovalRequest.of(row).question().map(ApprovalRequestBody::prompt);
        String about =
                prompt.map(one -> InertMarkdown.block(Texts.cut(one.summary(), MOST_SUMMARY)))
                        .orElse("");
        return "**"
                + prompt.map(one -> InertMarkdown.line(one.title())).orElse(UNREADABLE)
                + "** `"
                + Card.code(row.approvalId())
                + "`\n\n"
                + (about.isEmpty() ? "" : about + "\n\n")
                + switch (row.state()) {
                    case GRANTED -> "Approved by " + decided(row);
                    case DENIED -> "Denied by " + decided(row);
                    case EXPIRED -> "Expired without an answer, so it was denied.";
                    default -> "Not needed any more: the run ended first.";
                };
    }

    private static String decided(ApprovalRow row) {
        String by = InertMarkdown.line(row.decidedBy());
        String why = InertMarkdown.line(Texts.line(reason(row), MOST_REASON)).strip();
        return why.isEmpty() ? by + "." : by + ": " + why;
    }

    /** An answer that cannot be read has no reason; that there is one is known. */
    private static String reason(ApprovalRow row) {
        if (row.decision().length == 0) {
            return "";
        }
        try {
            return ApprovalRequestCodec.vote(row.decision()).reason();
        } catch (PalyraException e) {
            return "";
        }
    }
}
