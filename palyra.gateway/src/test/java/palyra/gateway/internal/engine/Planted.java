package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.shared.tape.TapeCodec;

/** Runs as an engine before left them in the journal. */
final class Planted {
    private Planted() {}

    static Operation session(String sessionId, String key) {
        return new Operation.InsertSession(
                new SessionView(
                        sessionId, key, "", LightGateway.ALICE.id(), "", "", "", 0, 0, 0, ""));
    }

    /** A run that was RUNNING and had not asked a model yet. */
    static List<Operation> running(
            String runId, String sessionId, String agentId, long epoch, String text) {
        return List.of(
                new Operation.InsertRun(
                        runId,
                        sessionId,
                        LightGateway.ALICE.id(),
                        agentId,
                        "interactive",
                        "",
                        "shell",
                        RunState.RUNNING,
                        epoch),
                TapeCodec.append(runId, state(RunState.ACCEPTED)),
                TapeCodec.append(
                        runId,
                        new TapeEvent.Message(
                                TapeEvent.Role.USER, text, LightGateway.ALICE.id(), "shell", "")),
                TapeCodec.append(runId, state(RunState.RUNNING)));
    }

    /**
     * A run that was RUNNING in the middle of its first turn, of which so many pieces were
     * streamed: its tape has 4 records more.
     */
    static void streaming(Journal journal, String runId, String text, int pieces) {
        List<Operation> operations = new ArrayList<>();
        operations.add(session("s-" + runId, "k-" + runId));
        operations.addAll(running(runId, "s-" + runId, "", 0, text));
        operations.add(
                TapeCodec.append(
                        runId,
                        new TapeEvent.TurnStarted(1, 1, "", "scripted", "", "a", "b", "", 16, 3)));
        for (int i = 0; i < pieces; i++) {
            operations.add(TapeCodec.append(runId, new TapeEvent.ModelToken(1, 1, "piece ")));
        }
        for (int i = 0; i < operations.size(); i += Unit.MAX_OPERATIONS) {
            int end = Math.min(operations.size(), i + Unit.MAX_OPERATIONS);
            journal.commit(Unit.builder().addAll(operations.subList(i, end)).build());
        }
    }

    private static TapeEvent state(RunState state) {
        return new TapeEvent.RunStateChanged(state, null, "");
    }
}
