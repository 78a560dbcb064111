package palyra.transport.openai.internal.answer;

import palyra.api.ErrorCode;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.follow.ResumingRunFollower;
import palyra.transport.openai.internal.OpenAiSettings;
import palyra.transport.openai.internal.http.RefusedException;

/** Tells the events of a run to a client. Called by one thread at a time. */
public final class Narrator implements ResumingRunFollower.Reader {
    /** Waits until the client has room for more. */
    @FunctionalInterface
    public interface Room {
        /** Waits. */
        void await() throws InterruptedException;
    }

    private final AnswerSink sink;
    private final OpenAiSettings.Stream settings;
    private final Room room;
    private ContinuousText text = new ContinuousText();
    private int turn; // that the text is of
    private boolean answered; // something of the answer was sent
    private boolean separate; // the next piece of the answer begins a paragraph
    private String answer = "";
    private String finishReason = "stop";
    private Outcome.Usage usage = Outcome.Usage.NONE;
    private ErrorCode failure; // null unless the tape says why it failed

    /** Creates a narrator; {@code room} is asked after each event. */
    public Narrator(AnswerSink sink, OpenAiSettings.Stream settings, Room room) {
        this.sink = sink;
        this.settings = settings;
        this.room = room;
    }

    @Override
    public void take(RunEvent event) {
        switch (event) {
            case RunEvent.Text piece -> take(piece);
            case RunEvent.Dropped dropped -> {
                if (dropped.turn() == turn) {
                    text.drop();
                }
                reason("The attempt was interrupted: " + ToolWork.cut(dropped.reason()));
            }
            case RunEvent.Recorded recorded -> take(recorded.event());
            case RunEvent.Waiting waiting -> {
                if (!waiting.reason().isEmpty()) {
                    reason("Waiting: " + ToolWork.cut(waiting.reason()));
                }
            }
            case RunEvent.Ended ended -> end(ended);
        }
    }

    @Override
    public void flush() throws InterruptedException {
        room.await();
    }

    private void take(RunEvent.Text piece) {
        if (piece.thought()) {
            sink.reasoning(piece.text());
        } else if (settings.live()) {
            begin(piece.turn());
            say(text.add(piece.text()));
        }
    }

    private void begin(int number) {
        if (number != turn) {
            turn = number;
            text = new ContinuousText();
            separate = answered;
        }
    }

    private void say(String piece) {
        if (!piece.isEmpty()) {
            sink.content(separate ? "\n\n" + piece : piece);
            separate = false;
            answered = true;
        }
    }

    private void reason(String line) {
        sink.reasoning("\n" + line + "\n");
    }

    private void take(TapeEvent event) {
        switch (event) {
            case TapeEvent.TurnFinished finished -> take(finished);
            case TapeEvent.Message message when message.role() == TapeEvent.Role.AGENT ->
                    answer = message.text();
            case TapeEvent.RunStateChanged changed when changed.state() == RunState.FAILED ->
                    failure = changed.code();
            case TapeEvent.ApprovalRequest request -> reason(ToolWork.approval(request));
            case TapeEvent.ApprovalDecision decision -> reason(ToolWork.answer(decision));
            default -> {
                if (settings.toolWork()) {
                    ToolWork.line(event).ifPresent(this::reason);
                }
            }
        }
    }

    private void take(TapeEvent.TurnFinished finished) {
        usage =
                usage.plus(
                        new Outcome.Usage(
                                finished.inputTokens(),
                                finished.cachedInputTokens(),
                                finished.outputTokens()));
        finishReason =
                switch (finished.finishReason()) {
                    case "length", "max_tokens" -> "length";
                    case "content_filter" -> "content_filter";
                    default -> "stop";
                };
        boolean isLast = finished.proposals().isEmpty();
        if (isLast) {
            answer = finished.text();
        }
        if (settings.live()) {
            begin(finished.turn());
            say(text.end(finished.text()));
        } else if (isLast) {
            begin(finished.turn());
            say(finished.text());
        } else if (!finished.text().isEmpty()) {
            reason(finished.text());
        }
    }

    private void end(RunEvent.Ended ended) {
        if (ended.state() == RunState.SUCCEEDED) {
            if (!answered) {
                say(answer);
            }
            sink.finished(new Outcome(answer, finishReason, usage));
        } else {
            String what =
                    ended.state() == RunState.CANCELLED
                            ? "The run was cancelled"
                            : "The run failed";
            sink.failed(
                    RefusedException.ofRun(
                            ended.state() == RunState.CANCELLED
                                    ? null
                                    : failure == null ? ErrorCode.INTERNAL : failure,
                            ended.reason().isEmpty() ? what + "." : what + ": " + ended.reason()));
        }
    }
}
