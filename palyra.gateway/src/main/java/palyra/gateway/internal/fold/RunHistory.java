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
import palyra.shared.fold.Call;
import palyra.shared.fold.CallState;
import palyra.shared.fold.RunOrder;
import palyra.shared.fold.TurnCalls;

/**
 * The state of a run, folded from its tape: a pure fold. Feeding the same records gives the same
 * history and so the same next step, whether the engine lived through them or reads them after a
 * crash. Not thread-safe; owned by the run's worker.
 *
 * <p>It trusts records written by the engine only. An {@link TapeEvent.ExternalEvent} is context
 * for the model and nothing else.
 */
public final class RunHistory {
    /**
     * What came while the run worked, and no turn has seen: an external event, or a message.
     *
     * @param seq its record
     * @param text the text for the model
     */
    record Noted(long seq, String text) {}

    private final List<ModelMessage> conversation = new ArrayList<>();
    private final RunOrder order;
    private final TurnAttempts attempts;
    private final Deque<Noted> notes = new ArrayDeque<>();
    private long seq;
    private String restartReason = "";
    private TapeEvent.TurnFinished lastTurn;
    private long acceptedAtMillis;
    private String unknownType = "";
    private String opening = "";

    /** Creates a history of a run that has no record yet. */
    public RunHistory() {
        order = new RunOrder();
        attempts = new TurnAttempts(List.of());
    }

    /** Creates a history that goes on from an image. */
    RunHistory(Image image) {
        conversation.addAll(image.conversation());
        order = new RunOrder(image.order());
        attempts = new TurnAttempts(image.attempts());
        notes.addAll(image.notes());
        seq = image.seq();
        restartReason = image.restartReason();
        lastTurn = image.lastTurn();
        acceptedAtMillis = image.acceptedAtMillis();
        unknownType = image.unknownType();
        opening = image.opening();
    }

    /**
     * All that a history knows. A snapshot is written in this form: who changes a component, of any
     * depth, or the meaning of one, raises {@link Snapshot#FORMAT}.
     */
    record Image(
            long seq,
            RunOrder.Image order,
            String restartReason,
            TapeEvent.TurnFinished lastTurn,
            long acceptedAtMillis,
            String unknownType,
            String opening,
            List<ModelMessage> conversation,
            List<TurnAttempts.Attempt> attempts,
            List<Noted> notes) {}

    /** Returns all that it knows. */
    Image image() {
        return new Image(
                seq,
                order.image(),
                restartReason,
                lastTurn,
                acceptedAtMillis,
                unknownType,
                opening,
                List.copyOf(conversation),
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
        List<Call> ofTurnBefore =
                event instanceof TapeEvent.TurnStarted ? calls() : List.of(); // they go with it
        boolean fits = fits(event, timeMillis);
        seq = recordSeq;
        if (fits) {
            took(event, timeMillis, ofTurnBefore);
        }
    }

    /** What follows a record that is not known is not judged: the run is parked. */
    private boolean fits(TapeEvent event, long timeMillis) {
        try {
            order.apply(event, timeMillis);
            return true;
        } catch (PalyraException e) {
            if (unknownType.isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    private void took(TapeEvent event, long timeMillis, List<Call> ofTurnBefore) {
        switch (event) {
            case TapeEvent.RunStateChanged changed -> {
                if (changed.state() == RunState.ACCEPTED) {
                    acceptedAtMillis = timeMillis;
                }
            }
            case TapeEvent.Message message -> said(message);
            case TapeEvent.TurnStarted started -> turnStarted(started, ofTurnBefore);
            case TapeEvent.TurnRestarted restarted -> restartReason = restarted.reason();
            case TapeEvent.TurnFinished finished -> turnFinished(finished);
            case TapeEvent.ExternalEvent external ->
                    notes.add(
                            new Noted(seq, "[" + external.kind() + "] " + external.contentJson()));
            case TapeEvent.Unknown unknown -> unknownType = unknown.type();
            default -> {} // calls are the order's; streamed text, votes and evidence are no state
        }
    }

    /** One that came while the run worked goes behind the outputs of the turn before. */
    private void said(TapeEvent.Message message) {
        if (turn() > 0 && message.role() == TapeEvent.Role.USER) {
            notes.add(new Noted(seq, message.text()));
            return;
        }
        if (conversation.isEmpty() && message.role() == TapeEvent.Role.USER) {
            opening = message.text();
        }
        switch (message.role()) {
            case USER -> conversation.add(new ModelMessage.User(message.text()));
            case SYSTEM -> conversation.add(new ModelMessage.System(message.text()));
            case AGENT -> {} // the final answer: it is the last turn's text again
        }
    }

    /** The outputs of the turn before become part of the conversation, in proposal order. */
    private void turnStarted(TapeEvent.TurnStarted started, List<Call> ofTurnBefore) {
        ofTurnBefore.forEach(call -> conversation.add(output(call)));
        ResultImages.bound(conversation);
        attempts.began(started, restartReason);
        restartReason = "";
        while (!notes.isEmpty() && notes.peek().seq() <= started.contextSeq()) {
            conversation.add(new ModelMessage.User(notes.remove().text()));
        }
    }

    private static ModelMessage output(Call call) {
        return new ModelMessage.ToolOutput(
                call.callId(),
                call.proposal().tool(),
                call.output().outcome() == TapeEvent.Outcome.SUCCEEDED,
                call.toldToModel(),
                call.output().images());
    }

    private void turnFinished(TapeEvent.TurnFinished finished) {
        lastTurn = finished;
        conversation.add(new ModelMessage.Assistant(finished.text(), finished.proposals()));
    }

    /** Returns what the run needs next. Pure: asking changes nothing. */
    public Step next() {
        if (!unknownType.isEmpty()) {
            return new Step.Park(unknownType);
        }
        RunState state = order.state();
        if (state == null || state == RunState.ACCEPTED) {
            return new Step.Begin();
        }
        if (state.terminal()) {
            return new Step.Done();
        }
        if (turn() == 0) {
            return new Step.AskModel(1, 1, "");
        }
        if (turnOpen()) {
            return new Step.AskModel(
                    turn(),
                    attempt() + 1,
                    restartReason.isEmpty() ? TurnAttempts.INTERRUPTED : restartReason);
        }
        return afterTurn();
    }

    private Step afterTurn() {
        Optional<Step> ofCalls = stepOfCalls(order.calls());
        if (state() == RunState.AWAITING_APPROVAL) {
            return ofCalls.orElse(null) instanceof Step.AwaitPeople
                    ? new Step.Waiting()
                    : new Step.Resume();
        }
        return ofCalls.orElseGet(
                () ->
                        order.calls().all().isEmpty()
                                ? new Step.Answer(lastTurn.text())
                                : new Step.AskModel(turn() + 1, 1, ""));
    }

    /** Returns what the calls need next; empty when all have an output. */
    private static Optional<Step> stepOfCalls(TurnCalls calls) {
        List<Call> started = calls.in(CallState.STARTED);
        if (!started.isEmpty()) {
            return Optional.of(new Step.Recover(started));
        }
        List<Call> undecided = undecided(calls);
        if (!undecided.isEmpty()) {
            return Optional.of(new Step.Decide(undecided));
        }
        List<Call> ready = calls.in(CallState.DECIDED);
        if (!ready.isEmpty()) {
            return Optional.of(new Step.Start(ready.get(0)));
        }
        List<Call> denied = calls.in(CallState.DENIED);
        if (!denied.isEmpty()) {
            return Optional.of(new Step.Refuse(denied.get(0)));
        }
        return calls.in(CallState.WAITING).isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.AwaitPeople());
    }

    /**
     * Returns the calls that are to be decided: nothing was decided, or a person said yes. What
     * comes after a call that waits for people was decided with it, or has to wait for its end.
     */
    private static List<Call> undecided(TurnCalls calls) {
        return calls.all().stream()
                .takeWhile(call -> call.state() != CallState.WAITING)
                .filter(call -> call.state() == CallState.PROPOSED || call.approved())
                .filter(Call::open)
                .toList();
    }

    /**
     * Returns the conversation as the model is to see it now: what the tape says so far, outputs in
     * proposal order, then notes.
     */
    public List<ModelMessage> conversation() {
        List<ModelMessage> all = new ArrayList<>(conversation);
        for (Call call : order.calls().all()) {
            if (!call.open()) {
                all.add(output(call));
            }
        }
        ResultImages.bound(all);
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
        return List.copyOf(order.calls().all());
    }

    /** Returns calls whose output is missing, in proposal order. */
    public List<Call> openCalls() {
        return order.calls().all().stream().filter(Call::open).toList();
    }

    /** Returns decided calls that were not started, in proposal order. */
    public List<Call> readyCalls() {
        return order.calls().in(CallState.DECIDED);
    }

    /** Returns calls that wait for people, in proposal order. */
    public List<Call> waitingCalls() {
        return order.calls().in(CallState.WAITING);
    }

    /** Returns the last sequence number taken. */
    public long seq() {
        return seq;
    }

    /** Returns the state; null before the first record. */
    public RunState state() {
        return order.state();
    }

    /** Returns how many calls were proposed so far. */
    public int callsProposed() {
        return order.calls().proposed();
    }

    /** Returns the number of the current turn; 0 before the first. */
    public int turn() {
        return order.turn();
    }

    /** Returns the number of the current turn's last attempt. */
    public int attempt() {
        return order.attempt();
    }

    /** Returns the attempts of the present turn. */
    public TurnAttempts attempts() {
        return attempts;
    }

    /** Returns whether a model was asked and has not answered. */
    public boolean turnOpen() {
        return order.turnOpen();
    }

    /** Returns when the run was accepted, unix milliseconds. */
    public long acceptedAtMillis() {
        return acceptedAtMillis;
    }
}
