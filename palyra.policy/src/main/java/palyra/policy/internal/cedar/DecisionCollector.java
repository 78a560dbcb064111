package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.value.EvaluationException;

/** Collects what the policies of one decision say. */
final class DecisionCollector {
    private static final Comparator<Policy> BY_ORDER = Comparator.comparingInt(Policy::order);

    private List<Policy> permits = List.of();
    private List<Policy> forbids = List.of();
    private List<PolicyError> errors = List.of();

    /**
     * Evaluates the policies one after the other.
     *
     * @param policies may be null: none
     */
    void addAll(Policy[] policies, Env env) {
        if (policies != null) {
            for (Policy policy : policies) {
                add(policy, env);
            }
        }
    }

    void add(Policy policy, Env env) {
        try {
            if (policy.satisfied(env)) {
                satisfied(policy);
            }
        } catch (EvaluationException e) {
            errors = with(errors, new PolicyError(policy, e.getMessage()));
        }
    }

    private void satisfied(Policy policy) {
        if (policy.effect() == Effect.FORBID) {
            forbids = with(forbids, policy);
        } else {
            permits = with(permits, policy);
        }
    }

    /** Any satisfied forbid denies, else any satisfied permit allows, else nothing does. */
    Decision decision() {
        boolean allowed = forbids.isEmpty() && !permits.isEmpty();
        return new Decision(
                allowed, sorted(permits), sorted(forbids), sortedErrors(errors), Decision.NONE);
    }

    private static <T> List<T> with(List<T> list, T item) {
        List<T> longer = list.isEmpty() ? new ArrayList<>(4) : list;
        longer.add(item);
        return longer;
    }

    private static List<Policy> sorted(List<Policy> found) {
        if (found.size() < 2) {
            return found;
        }
        found.sort(BY_ORDER);
        return found.stream().distinct().toList();
    }

    private static List<PolicyError> sortedErrors(List<PolicyError> found) {
        if (found.size() < 2) {
            return found;
        }
        found.sort(Comparator.comparing(PolicyError::policy, BY_ORDER));
        return found.stream().distinct().toList();
    }
}
