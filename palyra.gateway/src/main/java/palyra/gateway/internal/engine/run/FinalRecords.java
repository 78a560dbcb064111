package palyra.gateway.internal.engine.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.fold.RunMachine;
import palyra.shared.json.Jcs;

/**
 * The end of a run: its last records, and the one final answer that goes with them into the outbox.
 */
record FinalRecords(List<TapeEvent> events, List<Operation> others) {
    /**
     * Returns the ending of a run.
     *
     * @param answerId id of the outbox entry
     * @param before records that go before it in the same unit
     * @param text the answer, or why the run has no answer
     */
    static FinalRecords of(
            RunContext run,
            String answerId,
            List<TapeEvent> before,
            RunState state,
            ErrorCode code,
            String text) {
        List<TapeEvent> events = new ArrayList<>(before);
        List<Operation> others = new ArrayList<>();
        String reason = state == RunState.SUCCEEDED ? "" : text;
        others.add(new Operation.MoveRun(run.runId(), RunMachine.before(state), state, reason));
        if (state == RunState.SUCCEEDED) {
            events.add(
                    new TapeEvent.Message(
                            TapeEvent.Role.AGENT,
                            text,
                            run.agent().agentId(),
                            run.surface(),
                            answerId));
        }
        if (state != RunState.CANCELLED) {
            // After the move: a run that failed withdraws answers that were pending before, not
            // this one.
            others.add(new Operation.PutOutbox(answer(run, answerId, state, text)));
        }
        events.add(new TapeEvent.RunStateChanged(state, code, reason));
        return new FinalRecords(events, others);
    }

    /** What was asked on a chat platform is answered there; others read the tape. */
    private static OutboxRow answer(RunContext run, String answerId, RunState state, String text) {
        String kind = state == RunState.SUCCEEDED ? "answer" : "failure";
        MessageOrigin origin = run.origin();
        if (origin == null) {
            byte[] payload =
                    Jcs.bytes(
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("kind", kind)
                                    .put("text", text));
            return new OutboxRow(
                    answerId,
                    run.runId(),
                    run.surface(),
                    payload,
                    OutboxRow.State.READABLE,
                    0,
                    0,
                    0);
        }
        return Answers.row(answerId, run.runId(), run.surface(), origin, kind, text);
    }
}
