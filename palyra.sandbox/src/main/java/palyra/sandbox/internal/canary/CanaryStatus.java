package palyra.sandbox.internal.canary;

import java.util.Optional;
import palyra.api.Require;

/**
 * Current test state of a sandbox.
 *
 * @param state whether it may be used
 * @param report the last battery; absent before the first
 * @param cause one sentence, why it may not be used; empty when it may
 */
public record CanaryStatus(State state, Optional<CanaryReport> report, String cause) {
    /** Whether a sandbox may be used. */
    public enum State {
        /** It was not tested yet as it is now, or the test is not recorded yet. */
        PROBING,
        /** Nothing got out. */
        PROVEN,
        /** Something got out, or did not work. */
        FAILED
    }

    /** Checks. */
    public CanaryStatus {
        Require.present(state, "state of a sandbox");
        Require.present(report, "report");
        cause = Require.orEmpty(cause);
    }

    static CanaryStatus probing(String cause) {
        return new CanaryStatus(State.PROBING, Optional.empty(), cause);
    }
}
