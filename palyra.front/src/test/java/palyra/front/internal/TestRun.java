package palyra.front.internal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

/** A run that a test plays onto the tape, as an engine would. */
final class TestRun {
    private static final Ulids IDS = new Ulids();

    final String runId = IDS.next();
    final String sessionId = IDS.next();
    final String principal;
    private final Supplier<Journal> journal;

    /** Inserts a session and a run that is RUNNING. */
    TestRun(Supplier<Journal> journal, String principal) {
        this.journal = journal;
        this.principal = principal;
        List<Operation> all = new ArrayList<>();
        all.add(
                new Operation.InsertSession(
                        new SessionView(
                                sessionId, sessionId, "", principal, "", "", "", 0, 0, 0, "")));
        all.add(
                new Operation.InsertRun(
                        runId,
                        sessionId,
                        principal,
                        "default",
                        "interactive",
                        "",
                        "shell",
                        RunState.RUNNING,
                        0));
        all.add(append(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, "")));
        commit(all);
    }

    private Operation append(TapeEvent event) {
        return TapeCodec.append(runId, event);
    }

    private void commit(List<Operation> operations) {
        journal.get().commit(Unit.of(operations.toArray(Operation[]::new)));
    }

    TestRun write(TapeEvent... events) {
        List<Operation> all = new ArrayList<>();
        for (TapeEvent event : events) {
            all.add(append(event));
        }
        commit(all);
        return this;
    }

    static TapeEvent started(int turn, int attempt) {
        return new TapeEvent.TurnStarted(turn, attempt, "default", "", "", "", "", "", 16, 0);
    }

    static TapeEvent token(int turn, int attempt, String text) {
        return new TapeEvent.ModelToken(turn, attempt, text);
    }

    static TapeEvent finished(int turn, int attempt, String text) {
        return new TapeEvent.TurnFinished(turn, attempt, text, "stop", List.of(), 1, 1);
    }

    void live(LiveFeed feed, int turn, int attempt, long offset, String text) {
        feed.publish(new FeedItem.LiveText(runId, turn, attempt, false, offset, text));
    }

    /** Ends and seals the run. */
    void end(RunState state) {
        commit(
                List.of(
                        append(new TapeEvent.RunStateChanged(state, null, "done")),
                        new Operation.MoveRun(
                                runId,
                                EnumSet.of(RunState.ACCEPTED, RunState.RUNNING),
                                state,
                                "done")));
    }

    static InboxRow routed(InboxRow queued, String runId) {
        return new InboxRow(
                queued.messageId(),
                queued.surface(),
                queued.dedupeKey(),
                queued.principal(),
                queued.payload(),
                InboxRow.State.ROUTED,
                runId,
                "",
                queued.createdAtMillis());
    }
}
