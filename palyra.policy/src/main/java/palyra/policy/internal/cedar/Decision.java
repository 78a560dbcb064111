package palyra.policy.internal.cedar;

import java.util.List;
import java.util.Objects;

/**
 * The answer to a request, in all parts in the order of the policies.
 *
 * @param allowed the decision
 * @param permits the permits that are satisfied
 * @param forbids the forbids that are satisfied
 * @param errors the policies that were skipped because their evaluation failed
 * @param failure why there is no answer at all and the request is therefore denied; {@link #NONE}
 *     if there is one
 */
public record Decision(
        boolean allowed,
        List<Policy> permits,
        List<Policy> forbids,
        List<PolicyError> errors,
        String failure) {
    /** No failure. */
    public static final String NONE = "";

    public Decision {
        permits = List.copyOf(permits);
        forbids = List.copyOf(forbids);
        errors = List.copyOf(errors);
        Objects.requireNonNull(failure, "failure");
    }

    static Decision failed(String failure) {
        return new Decision(false, List.of(), List.of(), List.of(), failure);
    }

    /** The policies that determine the decision; none if it is denied by default. */
    public List<Policy> determining() {
        return allowed ? permits : forbids;
    }

    /** The permits that would have allowed it without the forbids. */
    public List<Policy> overridden() {
        return forbids.isEmpty() ? List.of() : permits;
    }

    /** True if a forbid failed and was skipped: the request must be denied. */
    public boolean forbidErred() {
        return errors.stream().anyMatch(e -> e.policy().effect() == Effect.FORBID);
    }
}
