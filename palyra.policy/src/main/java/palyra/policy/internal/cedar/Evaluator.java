package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.value.EvaluationException;

/** Decides requests by one policy set. May be used by any number of threads. */
public final class Evaluator {
    private final PolicySet policies;

    public Evaluator(PolicySet policies) {
        this.policies = Objects.requireNonNull(policies, "policies");
    }

    /** Never throws: what was not foreseen denies and says so. */
    public Decision decide(Request request) {
        try {
            DecisionCollector tally = new DecisionCollector();
            policies.index().run(env(request), tally);
            return tally.decision();
        } catch (Throwable unforeseen) {
            return failed(unforeseen);
        }
    }

    /** The same decision with what every single policy had to say; costs far more. */
    public Explanation explain(Request request) {
        try {
            Env env = env(request);
            DecisionCollector tally = new DecisionCollector();
            List<Explanation.Entry> entries = new ArrayList<>();
            for (Policy policy : policies.policies()) {
                tally.add(policy, env);
                entries.add(entry(policy, env));
            }
            return new Explanation(tally.decision(), entries);
        } catch (Throwable unforeseen) {
            return new Explanation(failed(unforeseen), List.of());
        }
    }

    /**
     * What each permit that is about the request's action had to say, as {@link #explain} tells it,
     * in the order of the policies; none if the evaluation failed as a whole.
     */
    public Stream<Explanation.Entry> permits(Request request) {
        Env env = env(request);
        return policies.policies().stream()
                .filter(policy -> policy.effect() == Effect.PERMIT)
                .filter(policy -> policy.scope().action().test(env.action(), env))
                .map(policy -> entry(policy, env));
    }

    private static Decision failed(Throwable unforeseen) {
        return Decision.failed(
                "The evaluation of the policies failed ("
                        + unforeseen.getClass().getSimpleName()
                        + "); the request is denied.");
    }

    private static Env env(Request request) {
        return new Env(
                request.principal(),
                request.action(),
                request.resource(),
                request.context(),
                request.entities());
    }

    private static Explanation.Entry entry(Policy policy, Env env) {
        List<String> misses = policy.scope().misses(env);
        if (!misses.isEmpty()) {
            return new Explanation.Entry(policy, Explanation.Outcome.SCOPE_MISS, misses);
        }
        try {
            if (policy.satisfied(env)) {
                return new Explanation.Entry(policy, Explanation.Outcome.SATISFIED, List.of());
            }
        } catch (EvaluationException e) {
            return new Explanation.Entry(
                    policy, Explanation.Outcome.ERROR, List.of(e.getMessage()));
        }
        return new Explanation.Entry(
                policy, Explanation.Outcome.CONDITION_FALSE, missing(policy, env));
    }

    /**
     * The conjuncts that do not hold. The first of them made the policy fail; the ones behind it
     * count if they can be evaluated on their own.
     */
    private static List<String> missing(Policy policy, Env env) {
        List<String> missing = new ArrayList<>();
        for (Conjunct conjunct : policy.conjuncts()) {
            if (fails(conjunct, env)) {
                missing.add(conjunct.text());
            }
        }
        return missing;
    }

    /** An error here is one behind the first false conjunct, where nothing is evaluated. */
    private static boolean fails(Conjunct conjunct, Env env) {
        try {
            return !conjunct.holds(env);
        } catch (EvaluationException e) {
            return false;
        }
    }
}
