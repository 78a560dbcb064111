package palyra.shared.fold;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
        Set<RunState> allowed = from == null ? EnumSet.of(RunState.ACCEPTED) : NEXT.get(from);
        CallMachine.require(
                allowed.contains(to),
                "The record says that the run is "
                        + to
                        + (from == null ? " first" : " after " + from)
                        + "; expected "
                        + (allowed.isEmpty()
                                ? "no other state"
                                : allowed.stream()
                                        .map(Enum::name)
                                        .collect(Collectors.joining(" or ")))
                        + ".");
        return to;
    }
}
