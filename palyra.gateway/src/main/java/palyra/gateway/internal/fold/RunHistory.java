package palyra.gateway.internal.fold;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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
    /**
     * An external event that no finished turn has seen.
     *
     * @param seq its record
     * @param text what the model is told of it
     */
    record Noted(long seq, String text) {}

    private final List<ModelMessage> conversation = new ArrayList<>();
    private final TurnCalls calls;
    private final TurnAttempts attempts;
    private final Deque<Noted> notes = new ArrayDeque<>();
    private long seq;
    private RunState state;
    private int turn;
    private int attempt;
    private boolean turnOpen;
    private String restartReason = "";
    private TapeEvent.TurnFinished lastTurn;
    private long acceptedAtMillis;
    private String unknownType = "";
    private String opening = "";

    /** Creates a history of a run that has no record yet. */
    public RunHistory() {
        calls = new TurnCalls(List.of(), 0);
        attempts = new TurnAttempts(List.of());
    }

    /** Creates a history that goes on from an image. */
    RunHistory(Image image) {
        conversation.addAll(image.conversation());
        calls = new TurnCalls(image.calls(), image.callsProposed());
        attempts = new TurnAttempts(image.attempts());
        notes.addAll(image.notes());
        seq = image.seq();
        state = image.state();
        turn = image.turn();
        attempt = image.attempt();
        turnOpen = image.turnOpen();
        restartReason = image.restartReason();
        lastTurn = image.lastTurn();
        acceptedAtMillis = image.acceptedAtMillis();
        unknownType = image.unknownType();
        opening = image.opening();
    }

    /**
     * All that a history knows. A snapshot is written in this form: who changes a component, of
     * whatever depth, or what one means, raises {@link Snapshot#FORMAT}.
     */
    record Image(
            long seq,
            RunState state,
            int turn,
            int attempt,
            boolean turnOpen,
            String restartReason,
            TapeEvent.TurnFinished lastTurn,
            long acceptedAtMillis,
            String unknownType,
            String opening,
            List<ModelMessage> conversation,
            List<Call> calls,
            int callsProposed,
            List<TurnAttempts.Attempt> attempts,
            List<Noted> notes) {}

    /** Returns all that it knows. */
    Image image() {
        return new Image(
                seq,
                state,
                turn,
                attempt,
                turnOpen,
                restartReason,
                lastTurn,
                acceptedAtMillis,
                unknownType,
                opening,
                List.copyOf(conversation),
                calls(),
                calls.proposed(),
                attempts.all(),
                List.copyOf(notes));
    }

    /** Returns an independent copy, to look at what would follow from records not yet written. */
    public RunHistory fork() {
        return new RunHistory(image());
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
            case TapeEvent.ToolCallProposal proposal -> calls.apply(proposal, timeMillis);
            case TapeEvent.ToolDecision decision -> calls.apply(decision, timeMillis);
            case TapeEvent.ApprovalRequest question -> calls.apply(question, timeMillis);
            case TapeEvent.ApprovalDecision answer -> calls.apply(answer, timeMillis);
            case TapeEvent.ToolStarted started -> calls.apply(started, timeMillis);
            case TapeEvent.ToolCallOutput output -> calls.apply(output, timeMillis);
            case TapeEvent.ExternalEvent external ->
                    notes.add(
                            new Noted(
                                    recordSeq,
                                    "[" + external.kind() + "] " + external.contentJson()));
            case TapeEvent.Unknown unknown -> unknownType = unknown.type();
            case TapeEvent.ModelToken ignored -> {} // its text comes again, whole, in turn_finished
            case TapeEvent.ModelThought ignored -> {} // thoughts are for people
            case TapeEvent.ApprovalVoted ignored -> {} // the decision says when they are enough
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
        attempts.began(started, restartReason);
        restartReason = "";
        while (!notes.isEmpty() && notes.peek().seq() <= started.contextSeq()) {
            conversation.add(new ModelMessage.User(notes.remove().text()));
        }
    }

    /** Moves the outputs of the turn before into the conversation, in proposal order. */
    private void closeCalls() {
        for (Call call : calls.all()) {
            conversation.add(output(call));
        }
        calls.close();
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
        Optional<Step> ofCalls = calls.next();
        if (state == RunState.AWAITING_APPROVAL) {
            return ofCalls.orElse(null) instanceof Step.AwaitPeople
                    ? new Step.Waiting()
                    : new Step.Resume();
        }
        return ofCalls.orElseGet(
                () ->
                        calls.all().isEmpty()
                                ? new Step.Answer(lastTurn.text())
                                : new Step.AskModel(turn + 1, 1, ""));
    }

    /**
     * Returns the conversation as the model is to see it now: what the tape says so far, outputs in
     * proposal order, then notes.
     */
    public List<ModelMessage> conversation() {
        List<ModelMessage> all = new ArrayList<>(conversation);
        for (Call call : calls.all()) {
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

    /** Returns the calls of the last finished turn, in proposal order. */
    public List<Call> calls() {
        return List.copyOf(calls.all());
    }

    /** Returns calls whose output is missing, in proposal order. */
    public List<Call> openCalls() {
        return calls.all().stream().filter(Call::open).toList();
    }

    /** Returns decided calls that were not started, in proposal order. */
    public List<Call> readyCalls() {
        return calls.in(CallState.DECIDED);
    }

    /** Returns calls that wait for people, in proposal order. */
    public List<Call> waitingCalls() {
        return calls.in(CallState.WAITING);
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
        return calls.proposed();
    }

    /** Returns the number of the current turn; 0 before the first. */
    public int turn() {
        return turn;
    }

    /** Returns the number of the current turn's last attempt. */
    public int attempt() {
        return attempt;
    }

    /** Returns the attempts of the present turn. */
    public TurnAttempts attempts() {
        return attempts;
    }

    /** Returns whether a model was asked and has not answered. */
    public boolean turnOpen() {
        return turnOpen;
    }

    /** Returns when the run was accepted, unix milliseconds. */
    public long acceptedAtMillis() {
        return acceptedAtMillis;
    }
}
