package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.gateway.internal.fold.TurnAttempts;
import palyra.gateway.internal.seam.ModelProviders;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelTarget;

/** The reaction to a failed attempt of a turn. Pure. */
final class RetryPolicy {
    private static final int WITHDRAWALS_FOR_EACH_ATTEMPT = 10;

    private RetryPolicy() {}

    /**
     * Returns what the next attempt is to be like; nothing when there is to be none. The same place
     * is asked again while the failure may pass and its attempts are not used up; another of the
     * chain is asked when the failure may well be this provider's alone; a conversation that was
     * too long is shown once more at half its size.
     *
     * @param shownTokens estimate of what the lost attempt showed
     */
    static Optional<TurnPlanner.Aim> after(
            ModelEvent.Failed failed,
            TurnPlan lost,
            TurnAttempts attempts,
            EngineSettings settings,
            Predicate<ModelTarget> present,
            long shownTokens) {
        if (failed.cause() == FailureCause.CONTEXT_EXCEEDED) {
            return lost.started().windowTokens() > 0
                    ? Optional.empty()
                    : Optional.of(
                            new TurnPlanner.Aim(
                                    Optional.of(lost.target()), Math.max(1, shownTokens / 2)));
        }
        Optional<ModelTarget> next = next(failed, lost, present);
        boolean elsewhereAtOnce =
                next.filter(present).isPresent()
                        && (failed.cause() == FailureCause.UNAVAILABLE
                                || failed.cause() == FailureCause.CIRCUIT_OPEN
                                || failed.retryAfterMillis()
                                        > settings.asking().maxRetryAfterMillis());
        if (failed.retryable()
                && !elsewhereAtOnce
                && mayAskAgain(failed, lost, attempts, settings)) {
            return Optional.of(TurnPlanner.Aim.same(lost.started()));
        }
        return next.map(target -> new TurnPlanner.Aim(Optional.of(target), 0));
    }

    /**
     * Swaps of its bundle use up no attempt of a model; a bundle that comes and goes has an end.
     */
    private static boolean mayAskAgain(
            ModelEvent.Failed failed,
            TurnPlan lost,
            TurnAttempts attempts,
            EngineSettings settings) {
        int most = settings.modelAttempts();
        return failed.equals(ModelProviders.WITHDRAWN)
                ? attempts.all().size() < WITHDRAWALS_FOR_EACH_ATTEMPT * most
                : attempts.inARow(lost.target().provider(), lost.target().model()) < most;
    }

    /** One that is present comes before one that is not. */
    private static Optional<ModelTarget> next(
            ModelEvent.Failed failed, TurnPlan lost, Predicate<ModelTarget> present) {
        if (!failed.cause().elsewhere()) {
            return Optional.empty();
        }
        return lost.later().stream()
                .filter(present)
                .findFirst()
                .or(() -> lost.later().stream().findFirst());
    }

    /** Returns the sentence of a run whose turn is given up: what each model said last. */
    static String sentence(ModelEvent.Failed failed, TurnPlan lost, TurnAttempts attempts) {
        String last = failed.message();
        if (failed.cause() == FailureCause.CONTEXT_EXCEEDED) {
            return "The conversation is too long for the model, at half its size too; begin a new"
                    + " session or send less. It said: "
                    + last;
        }
        Map<String, String> messages = new LinkedHashMap<>();
        for (TurnAttempts.Attempt attempt : attempts.all()) {
            ModelTarget target =
                    new ModelTarget(attempt.started().provider(), attempt.started().model());
            messages.put(target.toString(), attempt.said());
        }
        messages.put(lost.target().toString(), last);
        if (messages.size() == 1) {
            return last;
        }
        List<String> parts = new ArrayList<>();
        messages.forEach((target, words) -> parts.add(target + ": " + words));
        return "None of " + messages.size() + " models answered. " + String.join(" ", parts);
    }
}
