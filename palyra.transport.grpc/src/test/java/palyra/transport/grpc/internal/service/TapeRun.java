package palyra.transport.grpc.internal.service;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.journal.internal.SqliteJournal;
import palyra.shared.tape.TapeCodec;

/**
 * A run that a test plays onto the tape, as an engine would. An engine that is there does not touch
 * it before it is begun anew.
 */
final class TapeRun {
    final String runId = Ids.next();
    final String sessionId = Ids.next();
    private final SqliteJournal journal;

    /** Inserts a session and a run that is RUNNING; its tape has one record. */
    TapeRun(SqliteJournal journal, String principal) {
        this.journal = journal;
        commit(
                List.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId, sessionId, "", principal, "", "", "", 0, 0, 0,
                                        "")),
                        new Operation.InsertRun(
                                runId,
                                sessionId,
                                principal,
                                "default",
                                "interactive",
                                "",
                                "grpc",
                                RunState.RUNNING,
                                0),
                        append(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""))));
    }

    Operation append(TapeEvent event) {
        return TapeCodec.append(runId, event);
    }

    void commit(List<Operation> operations) {
        journal.commit(Unit.of(operations.toArray(Operation[]::new)));
    }

    /** Appends records in one unit. */
    TapeRun write(TapeEvent... events) {
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

    static TapeEvent thought(int turn, int attempt, String text) {
        return new TapeEvent.ModelThought(turn, attempt, text);
    }

    static TapeEvent finished(int turn, int attempt, String text) {
        return new TapeEvent.TurnFinished(turn, attempt, text, "stop", List.of(), 1, 1);
    }

    static TapeEvent running() {
        return new TapeEvent.RunStateChanged(RunState.RUNNING, null, "");
    }

    void live(int turn, int attempt, long offset, String text) {
        journal.publish(new FeedItem.LiveText(runId, turn, attempt, false, offset, text));
    }

    /** Ends and seals the run. */
    TapeRun end(RunState state) {
        commit(
                List.of(
                        append(new TapeEvent.RunStateChanged(state, null, "done")),
                        new Operation.MoveRun(
                                runId,
                                EnumSet.of(
                                        RunState.ACCEPTED,
                                        RunState.RUNNING,
                                        RunState.AWAITING_APPROVAL),
                                state,
                                "done")));
        return this;
    }
}
