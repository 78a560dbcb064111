package palyra.lib.cedar;

import java.util.List;

/**
 * A decision of the native engine.
 *
 * @param allowed whether it is an allow
 * @param determining ids of the policies and links that made the decision, sorted; empty for a
 *     denial by default
 * @param errors policies and links that failed and therefore did not count, by {@link
 *     Diagnostic#policyId()}, each with its place; sorted by id
 */
public record CedarDecision(boolean allowed, List<String> determining, List<Diagnostic> errors) {
    /** Copies the lists. */
    public CedarDecision {
        determining = List.copyOf(determining);
        errors = List.copyOf(errors);
    }
}
