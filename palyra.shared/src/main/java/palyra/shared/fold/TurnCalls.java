package palyra.shared.fold;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent;

/** The calls of the last finished turn, in proposal order. Not thread-safe. */
public final class TurnCalls {
    private final Map<String, Call> calls = new LinkedHashMap<>();
    private int proposed; // in the whole run

    /** Goes on with calls in proposal order, after so many in the whole run. */
    TurnCalls(List<Call> calls, int proposed) {
        calls.forEach(this::put);
        this.proposed = proposed;
    }

    /** Takes a record about a call. */
    void apply(TapeEvent event, long timeMillis) {
        switch (event) {
            case TapeEvent.ToolCallProposal proposal -> put(Call.proposed(proposal, ++proposed));
            case TapeEvent.ToolDecision decision -> put(call(decision.callId()).with(decision));
            case TapeEvent.ApprovalRequest question ->
                    put(call(question.callId()).asked(question, timeMillis));
            case TapeEvent.ApprovalDecision answer -> answered(answer, timeMillis);
            case TapeEvent.ToolStarted started ->
                    put(call(started.callId()).started(started.attempt()));
            case TapeEvent.ToolCallOutput output -> put(call(output.callId()).ended(output));
            default -> throw new IllegalArgumentException("not about a call: " + event);
        }
    }

    private void put(Call call) {
        calls.put(call.callId(), call);
    }

    /** Answers come from elsewhere: one to a call of a turn that is over changes nothing. */
    private void answered(TapeEvent.ApprovalDecision answer, long timeMillis) {
        Call call = calls.get(answer.callId());
        if (call != null) {
            put(call.answered(answer, timeMillis));
        }
    }

    private Call call(String callId) {
        Call call = calls.get(callId);
        if (call == null) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The record names call "
                            + callId
                            + ", which no turn proposed; expected a call of the last finished"
                            + " turn.");
        }
        return call;
    }

    /** Forgets the calls of a turn that is over; CORRUPT while an output is missing. */
    void close() {
        calls.values()
                .forEach(
                        call ->
                                CallMachine.require(
                                        !call.open(),
                                        "Call "
                                                + call.callId()
                                                + " has no output yet; expected a"
                                                + " tool_call_output record before the next turn"
                                                + " starts."));
        calls.clear();
    }

    /** Returns the calls. */
    public Collection<Call> all() {
        return calls.values();
    }

    /** Returns how many calls of the run were proposed so far. */
    public int proposed() {
        return proposed;
    }

    /** Returns the calls in a state whose output is missing. */
    public List<Call> in(CallState wanted) {
        return calls.values().stream()
                .filter(call -> call.state() == wanted && call.open())
                .toList();
    }
}
