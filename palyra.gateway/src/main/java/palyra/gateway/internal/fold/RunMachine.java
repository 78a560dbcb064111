package palyra.gateway.internal.fold;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.run.RunState;

/** The state machine of a run: pure, without I/O. Terminal states have no way out. */
public final class RunMachine {
    private static final Map<RunState, Set<RunState>> NEXT =
            Map.of(
                    RunState.ACCEPTED,
                    EnumSet.of(RunState.RUNNING, RunState.CANCELLED, RunState.FAILED),
                    RunState.RUNNING,
                    EnumSet.of(
                            RunState.AWAITING_APPROVAL,
                            RunState.SUCCEEDED,
                            RunState.FAILED,
                            RunState.CANCELLED),
                    RunState.AWAITING_APPROVAL,
                    EnumSet.of(RunState.RUNNING, RunState.FAILED, RunState.CANCELLED),
                    RunState.QUARANTINED,
                    EnumSet.of(RunState.FAILED, RunState.CANCELLED),
                    RunState.SUCCEEDED,
                    EnumSet.noneOf(RunState.class),
                    RunState.FAILED,
                    EnumSet.noneOf(RunState.class),
                    RunState.CANCELLED,
                    EnumSet.noneOf(RunState.class));

    private RunMachine() {}

    /** Returns the states from which {@code to} may follow. */
    public static Set<RunState> before(RunState to) {
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        NEXT.forEach(
                (from, next) -> {
                    if (next.contains(to)) {
                        states.add(from);
                    }
                });
        return states;
    }

    /**
     * Returns {@code to}, or throws CORRUPT when it cannot follow {@code from}; null is before the
     * first record.
     */
    static RunState next(RunState from, RunState to) {
        boolean allowed = from == null ? to == RunState.ACCEPTED : NEXT.get(from).contains(to);
        if (!allowed) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "A run_state record says " + to + " after " + from + ", which cannot be.");
        }
        return to;
    }
}
