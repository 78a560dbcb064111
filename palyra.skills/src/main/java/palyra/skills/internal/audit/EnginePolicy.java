package palyra.skills.internal.audit;

import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.gate.Gate;

/**
 * Evaluates a request with the policies in force. It gives no permit, so nothing is recorded: when
 * the skill runs, access control decides again for the principal of the run.
 */
public final class EnginePolicy implements CapabilityPolicy {
    /**
     * A forbid, and an action that no permit can name. A missing permit may be there for others.
     */
    private static final Set<String> DEFINITE = Set.of("policy.denied", "policy.unknown_action");

    private final Gate<PolicyEngine> engine;

    /** Evaluates through this gate. */
    public EnginePolicy(Gate<PolicyEngine> engine) {
        this.engine = engine;
    }

    @Override
    public Optional<String> definiteDenial(AccessRequest request) {
        PolicyDecision answer = engine.call(present -> present.decide(request));
        boolean denied =
                answer.outcome() == PolicyDecision.Outcome.DENY
                        && DEFINITE.contains(answer.reasonCode());
        return denied ? Optional.of(answer.reason() + " " + answer.policyIds()) : Optional.empty();
    }
}
