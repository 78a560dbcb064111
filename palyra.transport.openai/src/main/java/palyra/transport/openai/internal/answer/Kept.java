package palyra.transport.openai.internal.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.transport.openai.internal.http.RefusedException;

/** Keeps what a run says until it has ended, for an answer as a whole. */
public final class Kept implements AnswerSink {
    private static final int MOST_REASONING = 256 << 10;

    /**
     * A stretch of one kind.
     *
     * @param reasoning whether it is reasoning rather than answer
     */
    public record Stretch(boolean reasoning, String text) {}

    private final List<Stretch> done = new ArrayList<>();
    private final StringBuilder current = new StringBuilder();
    private boolean isReasoning;
    private int reasoningLeft = MOST_REASONING;
    private Outcome outcome; // null until it answered
    private RefusedException failure; // null unless it did not

    @Override
    public void opened() {
        // nothing is sent before the end
    }

    @Override
    public void reasoning(String text) {
        String kept = text.length() <= reasoningLeft ? text : "";
        reasoningLeft -= kept.length();
        add(true, kept);
    }

    @Override
    public void content(String text) {
        add(false, text);
    }

    private void add(boolean reasoning, String text) {
        if (reasoning != isReasoning) {
            end();
            isReasoning = reasoning;
        }
        current.append(text);
    }

    private void end() {
        if (!current.isEmpty()) {
            done.add(new Stretch(isReasoning, current.toString()));
            current.setLength(0);
        }
    }

    @Override
    public void finished(Outcome how) {
        end();
        outcome = how;
    }

    @Override
    public void failed(RefusedException reason) {
        end();
        failure = reason;
    }

    /** Returns what was said, in order. */
    public List<Stretch> stretches() {
        end();
        return List.copyOf(done);
    }

    /** Returns all reasoning. */
    public String allReasoning() {
        StringBuilder all = new StringBuilder();
        stretches().stream().filter(Stretch::reasoning).forEach(each -> all.append(each.text()));
        return all.toString();
    }

    /** Returns how it answered; empty while it has not. */
    public Optional<Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** Returns why there is no answer; empty unless it ended without one. */
    public Optional<RefusedException> failure() {
        return Optional.ofNullable(failure);
    }
}
