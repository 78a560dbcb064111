package palyra.shared.vault;

import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.SecretRef;
import palyra.shared.access.CallQuestion;

/**
 * Requester and purpose of a secret's use.
 *
 * @param principal on whose behalf; a part of the gateway that acts by itself is {@code
 *     system:NAME}
 * @param groups groups of the principal
 * @param agent agent of the run; empty without a run
 * @param runId run; empty without a run
 * @param callId call of a tool; empty without a call
 * @param purpose what it is for, such as {@code palyra.http.fetch} or {@code model}
 * @param ref which secret
 */
public record SecretUse(
        String principal,
        Set<String> groups,
        String agent,
        String runId,
        String callId,
        String purpose,
        SecretRef ref) {
    /** The action of the policy request. */
    public static final String ACTION = "vault.get";

    /** Checks and copies. */
    public SecretUse {
        Require.text(principal, "principal that a secret is used for");
        groups = Set.copyOf(groups);
        agent = Require.orEmpty(agent);
        runId = Require.orEmpty(runId);
        callId = Require.orEmpty(callId);
        Require.text(purpose, "purpose of the use of a secret");
        Require.present(ref, "secret reference");
    }

    /** Returns the question that policy is asked. */
    public AccessRequest question() {
        return new CallQuestion(principal, groups, agent, runId, callId, purpose)
                .about(ACTION, ref.resource(), ref.owner(), Map.of());
    }
}
