package palyra.gateway.internal.engine;

import java.util.List;
import palyra.api.core.journal.Operation;
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

    private static TapeEvent state(RunState state) {
        return new TapeEvent.RunStateChanged(state, null, "");
    }
}
