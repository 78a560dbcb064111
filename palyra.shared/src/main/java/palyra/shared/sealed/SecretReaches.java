package palyra.shared.sealed;

import java.util.HashSet;
import java.util.Set;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;

/**
 * Which vault values are searched for in which principal's texts. A value that a writer may not
 * read is not looked for in what comes back to that writer: whether it was found would tell. Pure.
 */
public final class SecretReaches {
    /** Its members may read every value, by the rules and policies that come with the gateway. */
    private static final String OPERATOR = "operator";

    private static final String SYSTEM = "system:";

    private SecretReaches() {}

    /**
     * Returns the values that a principal's own texts are searched for: those of the principal's
     * scope, and for operators and the gateway itself also the global ones and those of agent and
     * channel. What a run was lent comes to it by {@link RunSecrets#lent}.
     *
     * @param groups groups of the principal; empty when they are not known
     * @param agentId agent of the run; empty without one, or while it is not known
     * @param channel channel that the message came by; empty for none
     */
    public static SecretReach of(
            String principal, Set<String> groups, String agentId, String channel) {
        return groups.contains(OPERATOR) || principal.startsWith(SYSTEM)
                ? all(principal, agentId, channel)
                : SecretReach.of(principalScope(principal));
    }

    /**
     * Returns the values that texts of the operator are searched for before a run's model sees
     * them, such as an agent's instructions: the writer of a message has no part in them, so that
     * nothing can be guessed by it.
     */
    public static SecretReach ofInstructions(String principal, String agentId, String channel) {
        return all(principal, agentId, channel);
    }

    private static SecretReach all(String principal, String agentId, String channel) {
        Set<String> scopes = new HashSet<>(Set.of(SecretRef.GLOBAL, principalScope(principal)));
        if (!agentId.isEmpty()) {
            scopes.add("agent:" + agentId);
        }
        if (!channel.isEmpty()) {
            scopes.add("channel:" + channel);
        }
        return new SecretReach(scopes, Set.of());
    }

    /** Returns the scope of values that a principal may put itself. */
    public static String principalScope(String principal) {
        return "principal:" + principal;
    }
}
