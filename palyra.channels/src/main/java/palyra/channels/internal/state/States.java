package palyra.channels.internal.state;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.shared.channel.StateReactions;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;

/**
 * Reacts to messages whose runs ended. That they were taken is shown in the unit that takes them.
 * Thread-safe.
 */
public final class States {
    private static final String ANSWERED = "✅";
    private static final String FAILED = "❌";
    private static final String CANCELLED = "🛑";
    private static final int PAGE = 100;

    private final Gate<Journal> journal;
    private final Ulids ids = new Ulids();

    /** Creates it over the journal. */
    public States(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Shows what ended since the last one; what it could not do is done by the next one. */
    public void sweep() {
        String after = "";
        while (true) {
            String from = after;
            List<Document> page =
                    journal.call(store -> store.documents(StateReactions.COLLECTION, from, PAGE));
            page.forEach(document -> end(StateReactions.read(document)));
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().key();
        }
    }

    private void end(StateReactions taken) {
        Optional<InboxRow> message = journal.call(store -> store.inbox(taken.inboxId()));
        Optional<RunRow> run =
                message.filter(row -> row.state() == InboxRow.State.ROUTED)
                        .flatMap(row -> journal.call(store -> store.run(row.runId())));
        boolean waits = message.filter(row -> row.state() == InboxRow.State.QUEUED).isPresent();
        if (waits || run.filter(row -> !row.state().terminal()).isPresent()) {
            return;
        }
        Unit.Builder unit =
                Unit.builder()
                        .require(
                                new Precondition.DocumentAt(
                                        StateReactions.COLLECTION, taken.key(), taken.version()))
                        .add(new Operation.DeleteDocument(StateReactions.COLLECTION, taken.key()));
        reaction(message, run).ifPresent(shown -> unit.add(taken.put(ids.next(), shown)));
        try {
            Commits.commit(journal, unit.build());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            // An edit was faster, or another sweep.
        }
    }

    /**
     * Nothing is shown at a message that was deleted, or of which nothing is known any more; of one
     * that was edited the other form shows it.
     */
    private static Optional<String> reaction(Optional<InboxRow> message, Optional<RunRow> run) {
        if (run.isPresent()) {
            return Optional.of(reaction(run.get().state()));
        }
        return message.filter(row -> row.state() == InboxRow.State.REJECTED)
                .map(InboxRow::reason)
                .filter(reason -> !Set.of("deleted", "edited").contains(reason))
                .map(reason -> reason.equals("stopped") ? CANCELLED : FAILED);
    }

    private static String reaction(RunState state) {
        return switch (state) {
            case SUCCEEDED -> ANSWERED;
            case CANCELLED -> CANCELLED;
            default -> FAILED;
        };
    }
}
