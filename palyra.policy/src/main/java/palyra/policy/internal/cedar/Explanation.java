package palyra.policy.internal.cedar;

import java.util.List;
import java.util.Objects;

/**
 * A decision and what each policy contributed to it, in the order of the policies.
 *
 * @param entries one a policy; none if the decision failed as a whole
 */
public record Explanation(Decision decision, List<Entry> entries) {

    /** What became of a policy. */
    public enum Outcome {
        /** It is not about this principal, action or resource. */
        SCOPE_MISS,
        /** A condition does not hold. */
        CONDITION_FALSE,
        /** It could not be evaluated and was skipped. */
        ERROR,
        /** It had its say. */
        SATISFIED
    }

    /**
     * One policy.
     *
     * @param details for a scope miss the parts that do not fit ({@code principal}, {@code action},
     *     {@code resource}); for a false condition what would have to be true, in Cedar's syntax,
     *     the one that decided first; for an error its message; else empty
     */
    public record Entry(Policy policy, Outcome outcome, List<String> details) {
        public Entry {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(outcome, "outcome");
            details = List.copyOf(details);
        }
    }

    public Explanation {
        Objects.requireNonNull(decision, "decision");
        entries = List.copyOf(entries);
    }
}
