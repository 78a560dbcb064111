package palyra.gateway.internal.engine.turn;

import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.RunContext;

/**
 * The first turn of a run, planned before the run is recorded so that both become durable together.
 */
public final class FirstTurn {
    private final RunContext run;
    private final Optional<TurnPlan> plan;

    public FirstTurn(RunContext run, Optional<TurnPlan> plan) {
        this.run = run;
        this.plan = plan;
    }

    /**
     * Returns what is recorded of it with the run; nothing when the turn could not be planned: then
     * the run's worker says why.
     */
    public List<TapeEvent> announcement() {
        return plan.<List<TapeEvent>>map(p -> List.of(p.started())).orElse(List.of());
    }

    /** Returns what else happens with it: the reservation in budgets. */
    public List<Operation> operations() {
        return plan.map(p -> p.reservation().open()).orElse(List.of());
    }

    /** Returns the run without its turn, for when a budget has no room for it. */
    public FirstTurn withoutTurn() {
        return new FirstTurn(run, Optional.empty());
    }

    public RunContext run() {
        return run;
    }

    /** Returns the turn; null when there is none. */
    public TurnPlan plan() {
        return plan.orElse(null);
    }
}
