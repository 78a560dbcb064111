package palyra.gateway.internal.budget;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.model.ModelCaller;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.gateway.internal.settings.Price;
import palyra.gateway.internal.settings.Setting;

/** Estimates the amount to reserve for an attempt. Pure. */
public final class ReservationEstimator {
    private ReservationEstimator() {}

    /**
     * Returns the reservation.
     *
     * @param id id of the reservation, unique for each attempt
     * @param inputTokens estimate of the tokens read
     * @param outputTokens most that is written
     * @throws PalyraException RESOURCE_EXHAUSTED when a budget is configured that cannot be read,
     *     or one that applies counts money and the model has no price
     */
    public static Reservation of(
            ModelSettings settings,
            ModelCaller caller,
            String id,
            String runId,
            ModelTarget target,
            long inputTokens,
            long outputTokens,
            Instant now) {
        requireReadable(settings);
        Optional<Price> price = settings.price(target);
        BudgetAmount amount =
                new BudgetAmount(
                        inputTokens + outputTokens,
                        price.map(p -> p.cost(inputTokens, 0, outputTokens)).orElse(0L),
                        1);
        List<BudgetClaim> claims = new ArrayList<>();
        for (Budget budget : settings.budgets()) {
            Optional<String> subject = budget.subject(caller);
            if (subject.isPresent()) {
                if (budget.countsMoney() && price.isEmpty()) {
                    throw unpriced(settings, budget, target);
                }
                claims.add(
                        new BudgetClaim(
                                budget.name(),
                                subject.get(),
                                budget.period(runId, now),
                                budget.cap(),
                                amount));
            }
        }
        return new Reservation(claims.isEmpty() ? "" : id, runId, claims, amount, price);
    }

    private static void requireReadable(ModelSettings settings) {
        for (Setting.Broken broken : settings.broken()) {
            if (broken.kind().equals("budget")) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "Budget '"
                                + broken.name()
                                + "' is configured and cannot be used, so no model is asked: "
                                + broken.why());
            }
        }
    }

    private static PalyraException unpriced(
            ModelSettings settings, Budget budget, ModelTarget target) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "Model "
                        + target
                        + " has no price and budget '"
                        + budget.name()
                        + "' counts money, so it is not asked; add conf/palyra.gateway.price~NAME.json"
                        + " for it."
                        + settings.broken().stream()
                                .filter(broken -> broken.kind().equals("price"))
                                .map(
                                        broken ->
                                                " Price '"
                                                        + broken.name()
                                                        + "' cannot be used: "
                                                        + broken.why())
                                .findFirst()
                                .orElse(""));
    }
}
