package palyra.api.model;

import java.util.Set;
import palyra.api.Require;

/**
 * The principal, agent and session on whose behalf a model is called.
 *
 * @param principal who started the run, such as {@code user:anna}; empty when not known
 * @param groups groups of the principal when the run was started
 * @param agentId agent; may be empty
 * @param sessionId session; may be empty
 * @param channel channel that the message came by, such as {@code discord:42}; may be empty
 */
public record ModelCaller(
        String principal, Set<String> groups, String agentId, String sessionId, String channel) {
    /** A caller that is not known. */
    public static final ModelCaller UNKNOWN = new ModelCaller("", Set.of(), "", "", "");

    /** Checks and copies. */
    public ModelCaller {
        principal = Require.orEmpty(principal);
        groups = Set.copyOf(groups);
        agentId = Require.orEmpty(agentId);
        sessionId = Require.orEmpty(sessionId);
        channel = Require.orEmpty(channel);
    }
}
