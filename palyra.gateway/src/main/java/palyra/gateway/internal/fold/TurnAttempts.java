package palyra.gateway.internal.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.tape.TapeEvent;

/** The attempts of the present turn, oldest first. Used by one thread. */
public final class TurnAttempts {
    /**
     * One attempt.
     *
     * @param started its announcement
     * @param said why it was lost; empty while it runs and after it ended well
     */
    public record Attempt(TapeEvent.TurnStarted started, String said) {}

    private final List<Attempt> attempts;

    /** Goes on after attempts. */
    TurnAttempts(List<Attempt> attempts) {
        this.attempts = new ArrayList<>(attempts);
    }

    /** An attempt begins; {@code lost} is why the one before it was lost. */
    void began(TapeEvent.TurnStarted started, String lost) {
        if (!attempts.isEmpty() && attempts.getLast().started().turn() != started.turn()) {
            attempts.clear();
        }
        if (!attempts.isEmpty()) {
            Attempt last = attempts.removeLast();
            attempts.add(new Attempt(last.started(), lost));
        }
        attempts.add(new Attempt(started, ""));
    }

    /** Returns the attempts. */
    public List<Attempt> all() {
        return List.copyOf(attempts);
    }

    /** Returns the attempt that began last. */
    public Optional<TapeEvent.TurnStarted> last() {
        return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast().started());
    }

    /** Returns how often a model was asked in a row up to now. */
    public int inARow(String provider, String model) {
        int count = 0;
        for (Attempt attempt : attempts.reversed()) {
            if (!attempt.started().provider().equals(provider)
                    || !attempt.started().model().equals(model)) {
                break;
            }
            count++;
        }
        return count;
    }
}
