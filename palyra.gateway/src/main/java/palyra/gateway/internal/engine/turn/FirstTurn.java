package palyra.gateway.internal.engine.turn;

import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.RunContext;

/**
 * The first turn of a run, planned before the run is recorded so that both become durable together.
 *
 * @param plan the turn; empty when it could not be planned, and then the run's worker reports why
 */
public record FirstTurn(RunContext run, Optional<TurnPlan> plan) {
    /** Returns the records that announce the turn; empty without a plan. */
    public List<TapeEvent> announcement() {
        return plan.<List<TapeEvent>>map(p -> List.of(p.started())).orElse(List.of());
    }

    /** Returns the operations that reserve its cost in budgets; empty without a plan. */
    public List<Operation> operations() {
        return plan.map(p -> p.reservation().open()).orElse(List.of());
    }

    /** Returns the run without its turn, for a run whose cost no budget has room for. */
    public FirstTurn withoutTurn() {
        return new FirstTurn(run, Optional.empty());
    }
}
