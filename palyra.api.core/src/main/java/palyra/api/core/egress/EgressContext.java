package palyra.api.core.egress;

import java.util.Set;
import palyra.api.Require;

/**
 * On whose behalf something is connected to, for policy and the journal.
 *
 * @param principal who, such as {@code user:anna}; never empty
 * @param groups groups of the principal
 * @param agent agent; empty when none takes part
 * @param runId run; may be empty
 * @param callId tool call; may be empty
 * @param purpose what for, such as {@code palyra.http.fetch}, {@code palyra.process.run} or {@code
 *     model}; never empty
 */
public record EgressContext(
        String principal,
        Set<String> groups,
        String agent,
        String runId,
        String callId,
        String purpose) {
    /** Checks and copies. */
    public EgressContext {
        Require.text(principal, "principal");
        groups = Set.copyOf(groups);
        agent = Require.orEmpty(agent);
        runId = Require.orEmpty(runId);
        callId = Require.orEmpty(callId);
        Require.text(purpose, "purpose");
    }
}
