package palyra.shared.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.JournalReader;
import palyra.shared.hash.Ulids;

/** Messages that were accepted and then could not become a run: the error for their senders. */
public final class RejectedMessages {
    private static final long DAY_MILLIS = 24L * 3_600 * 1_000;
    private static final int PAGE = 200;
    private static final int PAGES = 10;

    private RejectedMessages() {}

    /** Returns the error for a sender that queries such a message, or sends it again. */
    public static PalyraException refusal(InboxRow rejected) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "Message "
                        + rejected.messageId()
                        + " was not answered: "
                        + rejected.reason()
                        + " Send it again under another key once the reason is cured.");
    }

    /** Returns one line for people. */
    public static String sentence(InboxRow rejected) {
        return "Message "
                + rejected.messageId()
                + " of "
                + rejected.principal()
                + " ("
                + rejected.surface()
                + ") was accepted and then rejected: "
                + rejected.reason();
    }

    /**
     * Returns messages of the last day that were rejected, the newest first; not all of very many.
     *
     * @param nowMillis unix time in milliseconds
     */
    public static List<InboxRow> ofLastDay(JournalReader journal, long nowMillis, int most) {
        Deque<InboxRow> newest = new ArrayDeque<>();
        String after = Ulids.firstAt(Math.max(0, nowMillis - DAY_MILLIS));
        for (int i = 0; i < PAGES; i++) {
            List<InboxRow> page = journal.inboxIn(InboxRow.State.REJECTED, after, PAGE);
            page.forEach(newest::add);
            while (newest.size() > most) {
                newest.poll();
            }
            if (page.size() < PAGE) {
                break;
            }
            after = page.getLast().messageId();
        }
        List<InboxRow> found = new ArrayList<>(newest);
        Collections.reverse(found);
        return found;
    }
}
