package palyra.gateway.internal.budget;

import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.core.journal.Operation;
import palyra.api.model.ModelEvent;
import palyra.gateway.internal.settings.Price;

/**
 * The cost reserved for one attempt of a turn.
 *
 * @param id id of the reservation; empty when no budget applies
 * @param runId run that it is for
 * @param claims one for each budget that applies
 * @param amount the amount reserved in each
 * @param price what the model costs, if that is configured
 */
public record Reservation(
        String id,
        String runId,
        List<BudgetClaim> claims,
        BudgetAmount amount,
        Optional<Price> price) {
    /** Returns the operations to commit with the announcement of the attempt. */
    public List<Operation> open() {
        return claims.isEmpty()
                ? List.of()
                : List.of(new Operation.ReserveBudget(id, runId, claims));
    }

    /**
     * Returns the usage of a turn that succeeded: the reserved amount, unless usage was counted.
     */
    public BudgetAmount used(ModelEvent.Finished finished) {
        return finished.counted()
                ? new BudgetAmount(
                        finished.inputTokens() + finished.outputTokens(), cost(finished), 1)
                : amount;
    }

    /** Returns what a turn cost, in millionths of money; 0 without a price. */
    public long cost(ModelEvent.Finished finished) {
        return finished.counted()
                ? price.map(
                                p ->
                                        p.cost(
                                                finished.inputTokens(),
                                                finished.cachedInputTokens(),
                                                finished.outputTokens()))
                        .orElse(0L)
                : amount.costMicros();
    }

    /** Returns the operations that settle a known usage. */
    public List<Operation> settle(BudgetAmount used) {
        return claims.isEmpty() ? List.of() : List.of(new Operation.SettleBudget(id, used));
    }

    /** Returns the operations that settle an attempt whose usage is unknown. */
    public List<Operation> settleWhole() {
        return claims.isEmpty() ? List.of() : List.of(Operation.SettleBudget.whole(id));
    }
}
