package palyra.api.core.ops;

import java.time.Instant;
import palyra.api.Require;

/**
 * How one long-lived loop of Palyra is doing.
 *
 * @param name name of its thread, such as {@code palyra-journal-writer}; never empty
 * @param owner bundle that owns it; never empty
 * @param essential whether the gateway is not ready while the loop is {@link State#BACKING_OFF} or
 *     {@link State#STALLED}
 * @param state how it is now
 * @param since since when the loop is in this state
 * @param restarts how many times its work was begun again after a failure since it was started
 * @param lastFailure one sentence about the last failure; empty when it never failed, never holds a
 *     secret
 * @param lastFailureAt when that was; {@link Instant#EPOCH} when it never failed
 * @param beatAgeMillis milliseconds since the loop last said that it is alive
 */
public record LoopView(
        String name,
        String owner,
        boolean essential,
        State state,
        Instant since,
        long restarts,
        String lastFailure,
        Instant lastFailureAt,
        long beatAgeMillis) {
    /** How a loop is. */
    public enum State {
        /** It works, or waits for work. */
        RUNNING,
        /** It failed and begins again after a wait. */
        BACKING_OFF,
        /** Its step has taken longer than the longest time a step may take. */
        STALLED,
        /** It was stopped, has finished or was not started. */
        STOPPED
    }

    /** Checks. */
    public LoopView {
        Require.text(name, "name of a loop");
        Require.text(owner, "owner of loop " + name);
        Require.present(state, "state of loop " + name);
        Require.present(since, "start of the state of loop " + name);
        lastFailure = Require.orEmpty(lastFailure);
        Require.present(lastFailureAt, "time of the last failure of loop " + name);
    }

    /** Returns whether the loop does not do its work although it should. */
    public boolean isFailing() {
        return state == State.BACKING_OFF || state == State.STALLED;
    }
}
