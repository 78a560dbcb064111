package palyra.console.internal.run.card;

import palyra.api.tape.TapeEvent;

/** One turn of a model, of which the last attempt counts. Not thread-safe. */
final class TurnBuilder {
    private final long seq;
    private final long timeMillis;
    private final int number;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thought = new StringBuilder();
    private final StringBuilder restarts = new StringBuilder();
    private int attempt;
    private String model = "";
    private String leftOut = "";
    private boolean finished;

    TurnBuilder(long seq, long timeMillis, int number) {
        this.seq = seq;
        this.timeMillis = timeMillis;
        this.number = number;
    }

    int number() {
        return number;
    }

    boolean isFinished() {
        return finished;
    }

    boolean says(String answer) {
        return finished && text.toString().equals(answer);
    }

    void begin(TapeEvent.TurnStarted started) {
        attempt(started.attempt());
        model =
                started.model().isEmpty()
                        ? started.provider()
                        : started.provider() + " " + started.model();
        leftOut = started.leftOut();
    }

    void text(TapeEvent.ModelToken token) {
        attempt(token.attempt());
        text.append(token.text());
    }

    void thought(TapeEvent.ModelThought piece) {
        attempt(piece.attempt());
        thought.append(piece.text());
    }

    void restart(TapeEvent.TurnRestarted again) {
        attempt(again.attempt());
        restarts.append(restarts.isEmpty() ? "" : " ").append(again.reason());
    }

    void finish(TapeEvent.TurnFinished done) {
        text.setLength(0);
        text.append(done.text());
        finished = true;
    }

    /** What an attempt before streamed does not count. */
    private void attempt(int of) {
        if (of > attempt && !finished) {
            attempt = of;
            text.setLength(0);
            thought.setLength(0);
        }
    }

    Item item() {
        return new Item.Turn(
                seq,
                timeMillis,
                number,
                thought.toString(),
                text.toString(),
                finished,
                model,
                restarts.toString(),
                leftOut);
    }
}
