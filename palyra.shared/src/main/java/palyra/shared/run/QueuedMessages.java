package palyra.shared.run;

import java.util.List;
import java.util.function.Predicate;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;

/** Messages that were accepted and have no run yet, as while the gateway is away. */
public final class QueuedMessages {
    private static final int PAGE = 200;

    private QueuedMessages() {}

    /** Returns whether a principal has a message in the queue, whose length the front bounds. */
    public static boolean any(
            Gate<Journal> journal, String principal, Predicate<SubmittedMessage> which) {
        String after = "";
        while (true) {
            String from = after;
            List<InboxRow> page =
                    journal.call(present -> present.inboxIn(InboxRow.State.QUEUED, from, PAGE));
            if (page.stream()
                    .filter(row -> row.principal().equals(principal))
                    .anyMatch(row -> which.test(SubmissionCodec.message(row.payload())))) {
                return true;
            }
            if (page.size() < PAGE) {
                return false;
            }
            after = page.getLast().messageId();
        }
    }
}
