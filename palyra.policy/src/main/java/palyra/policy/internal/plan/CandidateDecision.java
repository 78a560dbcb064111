package palyra.policy.internal.plan;

import java.util.List;
import java.util.Optional;

/**
 * What the candidate says to a policy request.
 *
 * @param verdict its decision
 * @param action action of the policy request
 * @param resourceType type of what it is about
 * @param resource id of what it is about
 * @param principal principal of the request
 * @param policies what determines it
 * @param now what the set in force says; empty if absent, or it was not asked
 */
record CandidateDecision(
        Verdict verdict,
        String action,
        String resourceType,
        String resource,
        String principal,
        List<String> policies,
        Optional<Verdict> now) {
    CandidateDecision {
        policies = List.copyOf(policies);
    }

    CandidateDecision withNow(Verdict said) {
        return new CandidateDecision(
                verdict, action, resourceType, resource, principal, policies, Optional.of(said));
    }
}
