package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.Diagnostic;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.cedar.PolicyError;
import palyra.policy.internal.set.Snapshot;

/** Converts decisions of the native engine, and compares them with the compiled engine's. */
final class NativeDecisions {
    private NativeDecisions() {}

    /** Returns a native decision; a policy that is not in the set makes it a failure. */
    static Decision decision(Snapshot snapshot, CedarDecision decided) {
        List<Policy> determining = new ArrayList<>();
        List<PolicyError> errors = new ArrayList<>();
        for (String id : decided.determining()) {
            Optional<Policy> policy = snapshot.policies().policy(id);
            if (policy.isEmpty()) {
                return unknown(id);
            }
            determining.add(policy.get());
        }
        for (Diagnostic error : decided.errors()) {
            Optional<Policy> policy = snapshot.policies().policy(error.policyId());
            if (policy.isEmpty()) {
                return unknown(error.policyId());
            }
            errors.add(new PolicyError(policy.get(), error.message()));
        }
        return new Decision(
                decided.allowed(),
                decided.allowed() ? determining : List.of(),
                decided.allowed() ? List.of() : determining,
                errors,
                Decision.NONE);
    }

    private static Decision unknown(String id) {
        return new Decision(
                false,
                List.of(),
                List.of(),
                List.of(),
                "The native engine names a policy '" + id + "' that is not in the set.");
    }

    /**
     * Returns how the engines differ about the policy request as it is: in the decision or in the
     * policies that determined it.
     */
    static Optional<EngineDivergence> difference(
            Snapshot snapshot, PolicyRequest request, CedarDecision decided) {
        Decision compiled = snapshot.evaluator().decide(request.cedarRequest(snapshot));
        Set<String> ours = new TreeSet<>();
        compiled.determining().forEach(policy -> ours.add(policy.id()));
        Set<String> theirs = new TreeSet<>(decided.determining());
        if (compiled.failure().isEmpty()
                && compiled.allowed() == decided.allowed()
                && ours.equals(theirs)) {
            return Optional.empty();
        }
        String failure = compiled.failure().isEmpty() ? "" : " (" + compiled.failure() + ")";
        return Optional.of(
                new EngineDivergence(
                        request.evidenceJson(),
                        snapshot.view().sha256(),
                        words(snapshot, compiled.allowed(), ours) + failure,
                        words(snapshot, decided.allowed(), theirs)));
    }

    private static String words(Snapshot snapshot, boolean allowed, Set<String> ids) {
        Set<String> names = new TreeSet<>();
        for (String id : ids) {
            names.add(snapshot.policies().policy(id).map(snapshot::name).orElse(id));
        }
        String by = names.isEmpty() ? "by default" : "by " + String.join(", ", names);
        return (allowed ? "allow " : "deny ") + by;
    }
}
