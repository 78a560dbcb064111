package palyra.channels.internal.approval;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/**
 * What the buttons of an approval card carry.
 *
 * @param approvalId request that is answered
 * @param granted whether it is a yes
 */
public record Question(String approvalId, boolean granted) {
    /** Kind of a message that asks. */
    public static final String KIND = "question";

    /** Kind of what takes its place once the request is over. */
    public static final String END_KIND = "notice";

    /** Why a message that asks is not sent any more. */
    public static final String OVER = "the request is over";

    private static final Pattern DATA = Pattern.compile("approval:([0-9A-Z]{26}):([yn])");

    /** Returns the data of a button. */
    String data() {
        return "approval:" + approvalId + ":" + (granted ? "y" : "n");
    }

    /** Returns what the data of a button says; empty when it is not one of a card. */
    static Optional<Question> read(String data) {
        Matcher parts = DATA.matcher(data);
        return parts.matches() && Ulids.isUlid(parts.group(1))
                ? Optional.of(new Question(parts.group(1), parts.group(2).equals("y")))
                : Optional.empty();
    }

    /** Returns whether a message asks about a request that needs no answer any more. */
    public static boolean isOver(Gate<Journal> journal, Outbound message) {
        return message.kind().equals(KIND)
                && message.buttons().stream()
                        .flatMap(button -> read(button.data()).stream())
                        .findFirst()
                        .filter(question -> !isOpen(journal, question.approvalId()))
                        .isPresent();
    }

    private static boolean isOpen(Gate<Journal> journal, String approvalId) {
        return journal.call(store -> store.approval(approvalId))
                .filter(row -> row.state() == ApprovalRow.State.PENDING)
                .isPresent();
    }
}
