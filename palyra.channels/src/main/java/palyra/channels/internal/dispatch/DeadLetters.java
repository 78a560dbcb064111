package palyra.channels.internal.dispatch;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.channels.internal.approval.Question;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.outcome.Commits;

/**
 * Messages that are not sent any more by themselves: FAILED ones, UNKNOWN ones, and those that wait
 * for a connector that is not there.
 */
public final class DeadLetters {
    /** Begins the reason of a message that an operator let be sent again. */
    static final String REPLAYED = "replayed";

    private static final Set<OutboxRow.State> GIVEN_UP =
            EnumSet.of(OutboxRow.State.FAILED, OutboxRow.State.UNKNOWN);
    private static final Set<OutboxRow.State> WAITING =
            EnumSet.of(OutboxRow.State.PENDING, OutboxRow.State.SENDING);
    private static final int PAGE = 500;
    private static final int MOST_PAGES = 20;

    private final Gate<Journal> journal;
    private final Predicate<String> present;

    /**
     * Creates a view of the journal.
     *
     * @param present whether the connector of a surface is there
     */
    public DeadLetters(Gate<Journal> journal, Predicate<String> present) {
        this.journal = journal;
        this.present = present;
    }

    /** Returns dead letters of a surface, or of all when it is empty, oldest first. */
    public List<OutboxRow> list(String surface, int limit) {
        List<OutboxRow> rows = new ArrayList<>(left(surface, limit));
        rows.addAll(givenUp(surface, limit));
        rows.sort((a, b) -> a.outboxId().compareTo(b.outboxId()));
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    private List<OutboxRow> givenUp(String surface, int limit) {
        return find(GIVEN_UP, surface, row -> !row.orderKey().isEmpty(), limit);
    }

    /** Returns those that are FAILED or UNKNOWN of connectors that are not there. */
    public List<OutboxRow> goneGivenUp(int limit) {
        return find(
                GIVEN_UP,
                "",
                row -> !row.orderKey().isEmpty() && !present.test(row.surface()),
                limit);
    }

    /**
     * Returns messages that wait for connectors that are not there; of all surfaces when {@code
     * surface} is empty. Looks at the oldest 10,000 that wait.
     */
    public List<OutboxRow> left(String surface, int limit) {
        List<OutboxRow> rows = find(WAITING, surface, this::isLeft, limit);
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    /** Returns rows of some states, of each at most so many. */
    private List<OutboxRow> find(
            Set<OutboxRow.State> states, String surface, Predicate<OutboxRow> wanted, int limit) {
        List<OutboxRow> rows = new ArrayList<>();
        for (OutboxRow.State state : states) {
            List<OutboxRow> found = new ArrayList<>();
            String after = "";
            for (int pages = 0; pages < MOST_PAGES && found.size() < limit; pages++) {
                String from = after;
                List<OutboxRow> page =
                        journal.call(store -> store.outboxIn(state, surface, from, PAGE));
                page.stream().filter(wanted).forEach(found::add);
                if (page.size() < PAGE) {
                    break;
                }
                after = page.getLast().outboxId();
            }
            rows.addAll(found.subList(0, Math.min(limit, found.size())));
        }
        return rows;
    }

    private boolean isLeft(OutboxRow row) {
        return WAITING.contains(row.state())
                && !row.orderKey().isEmpty()
                && !present.test(row.surface());
    }

    /** Returns one. NOT_FOUND, or CONFLICT when it is no dead letter. */
    public OutboxRow require(String outboxId) {
        OutboxRow row =
                journal.call(store -> store.outbox(outboxId))
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "No message has the id " + outboxId + "."));
        if (!GIVEN_UP.contains(row.state()) && !isLeft(row)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Message " + outboxId + " is " + row.state() + " and no dead letter.");
        }
        return row;
    }

    /**
     * Lets it be sent again, from the part that was not sent.
     *
     * @return whether it is; false for a question about an approval request that is over, which is
     *     withdrawn
     */
    public boolean replay(String outboxId, String by) {
        OutboxRow row = require(outboxId);
        if (isLeft(row)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Message "
                            + outboxId
                            + " waits for "
                            + row.surface()
                            + ", which is not there: it is sent when that connector is configured"
                            + " again.");
        }
        boolean over = Question.isOver(journal, Outbound.read(row.payload()));
        move(
                new Operation.MoveOutbox(
                        outboxId,
                        row.state(),
                        over ? OutboxRow.State.WITHDRAWN : OutboxRow.State.PENDING,
                        over
                                ? row.progress().retryAt(0, Question.OVER)
                                : row.progress()
                                        .withAttempts(0)
                                        .retryAt(0, REPLAYED + " by " + by)));
        return !over;
    }

    /** Gives it up for good. */
    public void discard(String outboxId, String by) {
        OutboxRow row = require(outboxId);
        move(
                new Operation.MoveOutbox(
                        outboxId,
                        row.state(),
                        OutboxRow.State.WITHDRAWN,
                        row.progress().retryAt(0, "discarded by " + by)));
    }

    private void move(Operation.MoveOutbox move) {
        Commits.commit(journal, Unit.of(move));
    }
}
