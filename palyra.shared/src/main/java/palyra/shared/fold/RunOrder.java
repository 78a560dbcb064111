package palyra.shared.fold;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;

/**
 * The state of a run by its records, and which record may follow. Pure, without I/O. A record that
 * is refused changes nothing. Not thread-safe.
 *
 * <p>Memory: the calls of the present turn.
 */
public final class RunOrder {
    private final TurnCalls calls;
    private List<ToolProposal> announced = List.of(); // by the last finished turn
    private RunState state;
    private int turn;
    private int attempt;
    private boolean turnOpen;

    /** Creates an order of a run that has no record yet. */
    public RunOrder() {
        calls = new TurnCalls(List.of(), 0);
    }

    /** Creates an order that goes on from an image. */
    public RunOrder(Image image) {
        calls = new TurnCalls(image.calls(), image.callsProposed());
        announced = image.announced();
        state = image.state();
        turn = image.turn();
        attempt = image.attempt();
        turnOpen = image.turnOpen();
    }

    /**
     * All that an order knows.
     *
     * @param state null before the first record
     * @param turn number of the current turn; 0 before the first
     * @param attempt number of its last attempt; 0 before the first turn
     * @param turnOpen whether a model was asked and has not answered
     * @param announced proposals of the last finished turn
     * @param calls calls of the last finished turn, in proposal order
     * @param callsProposed calls of the whole run
     */
    public record Image(
            RunState state,
            int turn,
            int attempt,
            boolean turnOpen,
            List<ToolProposal> announced,
            List<Call> calls,
            int callsProposed) {}

    /** Returns all that it knows. */
    public Image image() {
        return new Image(
                state,
                turn,
                attempt,
                turnOpen,
                announced,
                List.copyOf(calls.all()),
                calls.proposed());
    }

    /**
     * Takes the next record. One of a type that is not known changes nothing.
     *
     * @param timeMillis when it was written, unix time in milliseconds
     * @throws PalyraException CORRUPT when it cannot follow the records before it; the message is a
     *     sentence that says what was expected
     */
    public void apply(TapeEvent event, long timeMillis) {
        if (event instanceof TapeEvent.Unknown) {
            return;
        }
        requireUnderWay(event);
        switch (event) {
            case TapeEvent.RunStateChanged changed ->
                    state = RunMachine.next(state, changed.state());
            case TapeEvent.TurnStarted started -> turnStarted(started);
            case TapeEvent.TurnRestarted restarted ->
                    requireTurn(
                            turnOpen
                                    && restarted.turn() == turn
                                    && restarted.attempt() == attempt + 1,
                            "turn " + restarted.turn() + ", attempt " + restarted.attempt());
            case TapeEvent.TurnFinished finished -> turnFinished(finished);
            case TapeEvent.ToolCallProposal proposal -> proposed(proposal, timeMillis);
            case TapeEvent.ToolStarted started -> {
                requireRunning("starts a call");
                calls.apply(started, timeMillis);
            }
            case TapeEvent.ToolDecision decision -> calls.apply(decision, timeMillis);
            case TapeEvent.ApprovalRequest question -> calls.apply(question, timeMillis);
            case TapeEvent.ApprovalDecision answer -> calls.apply(answer, timeMillis);
            case TapeEvent.ToolCallOutput output -> calls.apply(output, timeMillis);
            default -> {} // text, context and evidence: no step of the run
        }
    }

    private void requireUnderWay(TapeEvent event) {
        boolean first = event instanceof TapeEvent.RunStateChanged;
        require(
                state != null || first,
                "The run was not accepted yet; expected a run_state record that says ACCEPTED.");
        require(
                state == null || !state.terminal(),
                "The run ended as " + state + " before; expected no record after that.");
    }

    private void turnStarted(TapeEvent.TurnStarted started) {
        requireRunning("starts a turn");
        require(
                turn > 0 || calls.proposed() == 0,
                "The run is a call by hand, which no model asked for; expected no turn.");
        int nextTurn = turnOpen ? turn : turn + 1;
        int nextAttempt = turnOpen ? attempt + 1 : 1;
        require(
                started.turn() == nextTurn && started.attempt() == nextAttempt,
                "The record starts turn "
                        + started.turn()
                        + ", attempt "
                        + started.attempt()
                        + "; expected turn "
                        + nextTurn
                        + ", attempt "
                        + nextAttempt
                        + ".");
        calls.close();
        announced = List.of();
        turn = nextTurn;
        attempt = nextAttempt;
        turnOpen = true;
    }

    private void turnFinished(TapeEvent.TurnFinished finished) {
        requireTurn(
                turnOpen && finished.turn() == turn && finished.attempt() == attempt,
                "turn " + finished.turn() + ", attempt " + finished.attempt());
        turnOpen = false;
        announced = finished.proposals();
    }

    /**
     * Proposals follow their turn, in the order in which it names them. A run may be one call by
     * hand instead, without any turn.
     */
    private void proposed(TapeEvent.ToolCallProposal proposal, long timeMillis) {
        int next = calls.all().size();
        if (turn == 0 && next == 0) { // by hand, asked of no model: the run is this one call
            calls.apply(proposal, timeMillis);
            return;
        }
        boolean more = next < announced.size();
        require(
                more && announced.get(next).callId().equals(proposal.callId()),
                "The record proposes call "
                        + proposal.callId()
                        + "; expected "
                        + (more
                                ? "call " + announced.get(next).callId()
                                : "no more calls than the turn_finished record before names")
                        + ".");
        calls.apply(proposal, timeMillis);
    }

    private void requireRunning(String what) {
        require(
                state == RunState.RUNNING,
                "The record " + what + " while the run is " + state + "; expected it RUNNING.");
    }

    private void requireTurn(boolean fits, String named) {
        require(
                fits,
                "The record is about "
                        + named
                        + "; "
                        + (turnOpen
                                ? "turn " + turn + ", attempt " + attempt + ", is under way."
                                : "no turn is under way; expected turn_started before it."));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new PalyraException(ErrorCode.CORRUPT, otherwise);
        }
    }

    /** Returns the calls of the last turn; empty while one is under way. */
    public TurnCalls calls() {
        return calls;
    }

    /** Returns the state; null before the first record. */
    public RunState state() {
        return state;
    }

    /** Returns the number of the current turn; 0 before the first. */
    public int turn() {
        return turn;
    }

    /** Returns the number of the current turn's last attempt; 0 before the first turn. */
    public int attempt() {
        return attempt;
    }

    /** Returns whether a model was asked and has not answered. */
    public boolean turnOpen() {
        return turnOpen;
    }
}
