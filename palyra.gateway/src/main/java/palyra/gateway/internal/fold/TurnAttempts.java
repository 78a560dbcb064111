package palyra.gateway.internal.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.tape.TapeEvent;

/** The attempts of the present turn, oldest first. Used by one thread. */
public final class TurnAttempts {
    /** Why an attempt was lost whose provider was withdrawn, as when its bundle is updated. */
    public static final String WITHDRAWN = "The model provider was withdrawn during the turn.";

    /** Why an attempt was lost with its engine. */
    static final String INTERRUPTED = "the turn was interrupted";

    /** What a swap or a crash took from the model counts as no failure of it. */
    private static final Set<String> NO_FAILURES = Set.of(WITHDRAWN, INTERRUPTED);

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

    /**
     * Returns how often a model was asked in a row up to now, without the attempts that were lost
     * before it could answer.
     */
    public int inARow(String provider, String model) {
        int count = 0;
        for (Attempt attempt : attempts.reversed()) {
            if (!attempt.started().provider().equals(provider)
                    || !attempt.started().model().equals(model)) {
                break;
            }
            count += NO_FAILURES.contains(attempt.said()) ? 0 : 1;
        }
        return count;
    }
}
