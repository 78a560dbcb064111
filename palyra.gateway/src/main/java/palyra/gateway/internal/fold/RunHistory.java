package palyra.gateway.internal.fold;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;

/**
 * A run as its tape tells it: a pure fold. Feeding the same records gives the same history and so
 * the same next step, whether the engine lived through them or reads them after a crash. Not
 * thread-safe; owned by the run's worker.
 *
 * <p>It trusts records written by the engine only. An {@link TapeEvent.ExternalEvent} is context
 * for the model and nothing else.
 */
public final class RunHistory {
    private record Noted(long seq, String text) {}

    private final List<ModelMessage> conversation = new ArrayList<>();
    private final Map<String, Call> calls =
            new LinkedHashMap<>(); // of the last finished turn, in proposal order
    private final List<Noted> notes =
            new ArrayList<>(); // external events that no finished turn has seen
    private long seq;
    private RunState state;
    private int turn;
    private int attempt;
    private boolean turnOpen;
    private String restartReason = "";
    private TapeEvent.TurnFinished lastTurn;
    private int callsProposed;
    private long acceptedAtMillis;
    private String unknownType = "";
    private String opening = "";

    /** Returns an independent copy, to look at what would follow from records not yet written. */
    public RunHistory fork() {
        RunHistory copy = new RunHistory();
        copy.conversation.addAll(conversation);
        copy.calls.putAll(calls);
        copy.notes.addAll(notes);
        copy.seq = seq;
        copy.state = state;
        copy.turn = turn;
        copy.attempt = attempt;
        copy.turnOpen = turnOpen;
        copy.restartReason = restartReason;
        copy.lastTurn = lastTurn;
        copy.callsProposed = callsProposed;
        copy.acceptedAtMillis = acceptedAtMillis;
        copy.unknownType = unknownType;
        copy.opening = opening;
        return copy;
    }

    /** Takes the next record. */
    public void apply(long recordSeq, long timeMillis, TapeEvent event) {
        if (recordSeq != seq + 1) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "Record "
                            + recordSeq
                            + " follows record "
                            + seq
                            + " of a tape; run palyra tape verify.");
        }
        seq = recordSeq;
        switch (event) {
            case TapeEvent.RunStateChanged changed -> stateChanged(changed, timeMillis);
            case TapeEvent.Message message -> said(message);
            case TapeEvent.TurnStarted started -> turnStarted(started);
            case TapeEvent.TurnRestarted restarted -> restartReason = restarted.reason();
            case TapeEvent.TurnFinished finished -> turnFinished(finished);
            case TapeEvent.ToolCallProposal proposal -> proposed(proposal);
            case TapeEvent.ToolDecision decision ->
                    replace(decision.callId(), call(decision.callId()).with(decision));
            case TapeEvent.ApprovalDecision answer -> answered(answer);
            case TapeEvent.ToolStarted started ->
                    replace(started.callId(), call(started.callId()).started(started.attempt()));
            case TapeEvent.ToolCallOutput output ->
                    replace(output.callId(), call(output.callId()).ended(output));
            case TapeEvent.ExternalEvent external ->
                    notes.add(
                            new Noted(
                                    recordSeq,
                                    "[" + external.kind() + "] " + external.contentJson()));
            case TapeEvent.Unknown unknown -> unknownType = unknown.type();
            case TapeEvent.ModelToken ignored -> {} // its text comes again, whole, in turn_finished
            case TapeEvent.ModelThought ignored -> {} // thoughts are for people
            case TapeEvent.ApprovalRequest
                            ignored -> {} // the decision before it set the call waiting
            case TapeEvent.ToolAttestation ignored -> {} // evidence, not state
        }
    }

    private void stateChanged(TapeEvent.RunStateChanged changed, long timeMillis) {
        if (state == null) {
            acceptedAtMillis = timeMillis;
        }
        state = RunMachine.next(state, changed.state());
    }

    private void said(TapeEvent.Message message) {
        if (conversation.isEmpty() && message.role() == TapeEvent.Role.USER) {
            opening = message.text();
        }
        switch (message.role()) {
            case USER -> conversation.add(new ModelMessage.User(message.text()));
            case SYSTEM -> conversation.add(new ModelMessage.System(message.text()));
            case AGENT -> {} // the final answer: it is the last turn's text again
        }
    }

    private void turnStarted(TapeEvent.TurnStarted started) {
        closeCalls();
        turn = started.turn();
        attempt = started.attempt();
        turnOpen = true;
        restartReason = "";
        while (!notes.isEmpty() && notes.get(0).seq() <= started.contextSeq()) {
            conversation.add(new ModelMessage.User(notes.remove(0).text()));
        }
    }

    /** Moves the outputs of the turn before into the conversation, in proposal order. */
    private void closeCalls() {
        for (Call call : calls.values()) {
            conversation.add(output(call));
        }
        calls.clear();
    }

    private static ModelMessage output(Call call) {
        return new ModelMessage.ToolOutput(
                call.callId(),
                call.proposal().tool(),
                call.output().outcome() == TapeEvent.Outcome.SUCCEEDED,
                call.toldToModel());
    }

    private void turnFinished(TapeEvent.TurnFinished finished) {
        turnOpen = false;
        lastTurn = finished;
        conversation.add(new ModelMessage.Assistant(finished.text(), finished.proposals()));
    }

    private void proposed(TapeEvent.ToolCallProposal proposal) {
        calls.put(proposal.callId(), Call.proposed(proposal));
        callsProposed++;
    }

    private void answered(TapeEvent.ApprovalDecision answer) {
        Call call = calls.get(answer.callId());
        if (call != null) {
            replace(answer.callId(), call.answered(answer.granted()));
        }
    }

    private Call call(String callId) {
        Call call = calls.get(callId);
        if (call == null) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "A record names call " + callId + ", which nobody proposed.");
        }
        return call;
    }

    private void replace(String callId, Call call) {
        calls.put(callId, call);
    }

    /** Returns what the run needs next. Pure: asking changes nothing. */
    public Step next() {
        if (!unknownType.isEmpty()) {
            return new Step.Park(unknownType);
        }
        if (state == null || state == RunState.ACCEPTED) {
            return new Step.Begin();
        }
        if (state.terminal()) {
            return new Step.Done();
        }
        if (turn == 0) {
            return new Step.AskModel(1, 1, "");
        }
        if (turnOpen) {
            return new Step.AskModel(
                    turn,
                    attempt + 1,
                    restartReason.isEmpty() ? "the turn was interrupted" : restartReason);
        }
        return afterTurn();
    }

    private Step afterTurn() {
        List<Call> started = in(CallState.STARTED);
        if (!started.isEmpty()) {
            return new Step.Recover(started);
        }
        List<Call> undecided = in(CallState.PROPOSED);
        if (!undecided.isEmpty()) {
            return new Step.Decide(undecided);
        }
        List<Call> ready = in(CallState.DECIDED);
        if (!ready.isEmpty()) {
            return new Step.Start(ready.get(0));
        }
        for (Call call : in(CallState.DENIED)) {
            if (call.open()) {
                return new Step.Refuse(call);
            }
        }
        if (!in(CallState.WAITING).isEmpty()) {
            return new Step.AwaitPeople();
        }
        return calls.isEmpty()
                ? new Step.Answer(lastTurn.text())
                : new Step.AskModel(turn + 1, 1, "");
    }

    private List<Call> in(CallState wanted) {
        return calls.values().stream()
                .filter(call -> call.state() == wanted && call.open())
                .toList();
    }

    /**
     * Returns the conversation as the model is to see it now: what the tape says so far, outputs in
     * proposal order, then notes.
     */
    public List<ModelMessage> conversation() {
        List<ModelMessage> all = new ArrayList<>(conversation);
        for (Call call : calls.values()) {
            if (!call.open()) {
                all.add(output(call));
            }
        }
        for (Noted note : notes) {
            all.add(new ModelMessage.User(note.text()));
        }
        return all;
    }

    /** Returns the message that began the run; empty before it. */
    public String opening() {
        return opening;
    }

    /** Returns calls whose output is missing, in proposal order. */
    public List<Call> openCalls() {
        return calls.values().stream().filter(Call::open).toList();
    }

    /** Returns decided calls that were not started, in proposal order. */
    public List<Call> readyCalls() {
        return in(CallState.DECIDED);
    }

    /** Returns the last sequence number taken. */
    public long seq() {
        return seq;
    }

    /** Returns the state; null before the first record. */
    public RunState state() {
        return state;
    }

    /** Returns how many calls were proposed so far. */
    public int callsProposed() {
        return callsProposed;
    }

    /** Returns the number of the current turn; 0 before the first. */
    public int turn() {
        return turn;
    }

    /** Returns the number of the current turn's last attempt. */
    public int attempt() {
        return attempt;
    }

    /** Returns when the run was accepted, unix milliseconds. */
    public long acceptedAtMillis() {
        return acceptedAtMillis;
    }
}
