package palyra.policy.internal.plan;

import java.util.List;
import java.util.Optional;

/**
 * What the candidate says to a question.
 *
 * @param verdict its decision
 * @param action action of the question
 * @param resourceType type of what it is about
 * @param resource id of what it is about
 * @param principal who asks
 * @param policies what determines it
 * @param now what the set in force says; empty when there is none, or it was not asked
 */
record Said(
        Verdict verdict,
        String action,
        String resourceType,
        String resource,
        String principal,
        List<String> policies,
        Optional<Verdict> now) {
    Said {
        policies = List.copyOf(policies);
    }

    Said withNow(Verdict said) {
        return new Said(
                verdict, action, resourceType, resource, principal, policies, Optional.of(said));
    }
}
