package palyra.channels.internal.dispatch;

import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.outcome.Commits;

/** Messages that are not sent any more by themselves: FAILED ones, and UNKNOWN ones. */
public final class DeadLetters {
    /** Begins the reason of a message that an operator let be sent again. */
    static final String REPLAYED = "replayed";

    private final Gate<Journal> journal;

    /** Creates a view of the journal. */
    public DeadLetters(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Returns dead letters of a surface, or of all when it is empty, oldest first. */
    public List<OutboxRow> list(String surface, int limit) {
        List<OutboxRow> rows = new ArrayList<>();
        for (OutboxRow.State state : List.of(OutboxRow.State.FAILED, OutboxRow.State.UNKNOWN)) {
            rows.addAll(journal.call(store -> store.outboxIn(state, surface, "", limit)));
        }
        rows.removeIf(row -> row.orderKey().isEmpty());
        rows.sort((a, b) -> a.outboxId().compareTo(b.outboxId()));
        return rows.subList(0, Math.min(limit, rows.size()));
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
        if (row.state() != OutboxRow.State.FAILED && row.state() != OutboxRow.State.UNKNOWN) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Message " + outboxId + " is " + row.state() + " and no dead letter.");
        }
        return row;
    }

    /** Lets it be sent again, from the part that was not sent. */
    public void replay(String outboxId, String by) {
        OutboxRow row = require(outboxId);
        move(
                new Operation.MoveOutbox(
                        outboxId,
                        row.state(),
                        OutboxRow.State.PENDING,
                        row.progress().withAttempts(0).retryAt(0, REPLAYED + " by " + by)));
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
