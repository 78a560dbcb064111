package palyra.shared.loop;

import java.time.Duration;
import palyra.api.Require;

/**
 * Description of a loop.
 *
 * @param name name of its thread
 * @param owner bundle that owns it
 * @param essential whether the gateway is not ready while it fails
 * @param longestStep how long a step may take before the loop counts as stalled
 * @param backoff how long it waits after failures
 * @param stackBytes size of the thread's stack; 0 for the usual
 */
public record LoopSpec(
        String name,
        String owner,
        boolean essential,
        Duration longestStep,
        Backoff backoff,
        long stackBytes) {
    private static final Duration USUAL_STEP = Duration.ofMinutes(1);

    /** Checks. */
    public LoopSpec {
        Require.text(name, "name of a loop");
        Require.text(owner, "owner of loop " + name);
        Require.that(longestStep.isPositive(), "longest step of loop " + name + " is not positive");
        Require.present(backoff, "backoff of loop " + name);
    }

    /** Returns a loop that is not essential, with steps of at most a minute. */
    public static LoopSpec of(String name, String owner) {
        return new LoopSpec(name, owner, false, USUAL_STEP, Backoff.USUAL, 0);
    }

    /** Returns the same, essential. */
    public LoopSpec asEssential() {
        return new LoopSpec(name, owner, true, longestStep, backoff, stackBytes);
    }

    /** Returns the same with another longest step. */
    public LoopSpec withLongestStep(Duration step) {
        return new LoopSpec(name, owner, essential, step, backoff, stackBytes);
    }

    /** Returns the same with another backoff. */
    public LoopSpec withBackoff(Backoff other) {
        return new LoopSpec(name, owner, essential, longestStep, other, stackBytes);
    }

    /** Returns the same with a stack of its own size. */
    public LoopSpec withStackBytes(long bytes) {
        return new LoopSpec(name, owner, essential, longestStep, backoff, bytes);
    }
}
