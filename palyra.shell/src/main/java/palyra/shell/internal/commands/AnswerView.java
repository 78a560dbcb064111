package palyra.shell.internal.commands;

import java.util.Optional;
import palyra.api.command.CommandOutput;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.approvals.TerminalApprovals;

/**
 * Shows a run as an answer being written, with what happens beside it as notes, and questions to
 * the person who reads. Thread-safe.
 */
final class AnswerView implements RunStream.View, TerminalApprovals.Screen {
    private static final String MODEL = "waiting for the model";

    private final CommandOutput output;
    private final boolean streamed;
    private final boolean waits;
    private final boolean progress;
    private final boolean thoughts;
    private final StringBuilder thought = new StringBuilder(); // guarded by this
    private volatile String answer = "";
    private TerminalApprovals approvals; // guarded by this; null while no user is asked
    private boolean midLine; // guarded by this
    private int lastTurn; // guarded by this

    /**
     * Creates it.
     *
     * @param streamed whether text is written as it comes; otherwise only the final answer is
     * @param waits whether it is noted what the run waits for
     * @param progress whether states, calls and decisions are noted
     * @param thoughts whether what the model thinks is noted
     */
    AnswerView(
            CommandOutput output,
            boolean streamed,
            boolean waits,
            boolean progress,
            boolean thoughts) {
        this.output = output;
        this.streamed = streamed;
        this.waits = waits;
        this.progress = progress;
        this.thoughts = thoughts;
    }

    @Override
    public synchronized void text(int turn, boolean isThought, String text) {
        if (isThought) {
            think(text);
            return;
        }
        endThought();
        if (!streamed) {
            return;
        }
        if (turn != lastTurn) {
            endLine();
            lastTurn = turn;
        }
        output.raw(text);
        midLine = !text.endsWith("\n");
    }

    private void think(String text) {
        if (!thoughts) {
            return;
        }
        thought.append(text);
        for (int end = thought.indexOf("\n"); end >= 0; end = thought.indexOf("\n")) {
            note("… " + thought.substring(0, end));
            thought.delete(0, end + 1);
        }
    }

    private void endThought() {
        if (!thought.isEmpty()) {
            note("… " + thought);
            thought.setLength(0);
        }
    }

    @Override
    public synchronized void dropped(int turn, String reason) {
        if (streamed) {
            note("(begins again, the text above of turn " + turn + " is void: " + reason + ")");
        }
    }

    @Override
    public synchronized void recorded(RunEvent.Recorded recorded) {
        endThought();
        TapeEvent event = recorded.event();
        if (event instanceof TapeEvent.Message message && message.role() == TapeEvent.Role.AGENT) {
            answer = message.text();
        }
        if (waits) {
            doing(event).ifPresent(output::progress);
        }
        if (progress && worthTelling(event)) {
            note("· " + TapeLine.of(event));
        }
        if (approvals != null) {
            approvals.recorded(event);
        }
    }

    /** An approval request is shown separately. */
    @Override
    public synchronized void waiting(RunEvent.Waiting waiting) {
        if (waits) {
            output.progress(waiting.reason().isEmpty() ? MODEL : waiting.reason());
        }
        if (waits && !waiting.reason().isEmpty() && waiting.state() != RunState.AWAITING_APPROVAL) {
            note("· " + waiting.reason());
        }
    }

    /** Returns what the run does after a record; empty when it goes on as before. */
    private static Optional<String> doing(TapeEvent event) {
        return switch (event) {
            case TapeEvent.TurnStarted e -> Optional.of(MODEL);
            case TapeEvent.ToolCallProposal e -> Optional.of("deciding about " + e.tool());
            case TapeEvent.ApprovalRequest e -> Optional.of("waiting for an approval");
            case TapeEvent.ToolDecision e when e.verdict() == TapeEvent.Verdict.ALLOW ->
                    Optional.of("waiting for the tool");
            case TapeEvent.ToolCallOutput e -> Optional.of("going on");
            default -> Optional.empty();
        };
    }

    private static boolean worthTelling(TapeEvent event) {
        return switch (event) {
            case TapeEvent.ToolCallProposal e -> true;
            case TapeEvent.ToolDecision e -> e.verdict() == TapeEvent.Verdict.DENY;
            case TapeEvent.ToolCallOutput e -> true;
            case TapeEvent.ExternalEvent e -> true;
            case TapeEvent.RunStateChanged e ->
                    !e.state().terminal() && e.state() != RunState.AWAITING_APPROVAL;
            default -> false;
        };
    }

    /** Passes later approval requests of the run to {@code approvals}. */
    synchronized void ask(TerminalApprovals questions) {
        approvals = questions;
    }

    @Override
    public synchronized void note(String text) {
        endLine();
        output.note(text);
    }

    @Override
    public synchronized void ask(String text) {
        endLine();
        output.raw(text);
        midLine = true;
    }

    @Override
    public synchronized void entered() {
        midLine = false;
    }

    synchronized void endLine() {
        if (midLine) {
            output.raw("\n");
            midLine = false;
        }
    }

    /** Returns the final answer; empty before it. */
    String answer() {
        return answer;
    }
}
