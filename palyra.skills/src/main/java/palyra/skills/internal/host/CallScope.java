package palyra.skills.internal.host;

import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.vault.SecretRef;
import palyra.shared.access.CallQuestion;
import palyra.shared.vault.SecretUse;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;

/**
 * Identity, principal and grants of a call.
 *
 * @param skill which skill, in which version
 * @param tool which of its tools
 * @param callId the call
 * @param attempt which attempt of it, from 1
 * @param runId run that it belongs to
 * @param principal on whose behalf
 * @param groups groups of the principal
 * @param agent agent; empty when none takes part
 * @param deadlineMillis unix time in milliseconds when the call ends at the latest
 * @param grants what the manifest asks for
 */
public record CallScope(
        SkillId skill,
        String tool,
        String callId,
        int attempt,
        String runId,
        String principal,
        Set<String> groups,
        String agent,
        long deadlineMillis,
        SkillGrants grants) {
    private static final String SKILL = "skill:";

    /** Checks and copies. */
    public CallScope {
        Require.present(skill, "skill");
        Require.text(tool, "tool");
        Require.text(callId, "call id");
        Require.text(runId, "run id");
        Require.text(principal, "principal of a call");
        groups = Set.copyOf(groups);
        agent = Require.orEmpty(agent);
        Require.present(grants, "grants");
    }

    /** Returns what policies see as the purpose: {@code skill:ID}, without the version. */
    public String purpose() {
        return SKILL + skill.skill();
    }

    /** Returns the principal of the call. */
    public Principal who() {
        return asked().who();
    }

    private CallQuestion asked() {
        return new CallQuestion(principal, groups, agent, runId, callId, purpose());
    }

    /** Returns the access request for a resource, with the context of the call. */
    public AccessRequest question(String action, String resource, Map<String, String> more) {
        return question(action, resource, "", more);
    }

    /** Returns the same for what belongs to a principal; {@code owner} empty means to none. */
    AccessRequest question(String action, String resource, String owner, Map<String, String> more) {
        return asked().about(action, resource, owner, more);
    }

    EgressContext circumstances() {
        return new EgressContext(principal, groups, agent, runId, callId, purpose());
    }

    /**
     * Returns the use of a secret, as policy is asked about it. Policies can see that a skill asks
     * for a secret of a skill, and not whether it is the same one: that is decided here, before
     * access control decides.
     *
     * @throws HostError denied for a secret of any other skill
     */
    SecretUse use(SecretRef ref) {
        if (ref.scope().startsWith(SKILL) && !ref.scope().equals(purpose())) {
            throw HostError.denied(
                    "The secret " + ref.key() + " belongs to another skill.",
                    "no grant reaches secrets of another skill");
        }
        return new SecretUse(principal, groups, agent, runId, callId, purpose(), ref);
    }
}
