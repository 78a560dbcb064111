package palyra.api.core.tools;

import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;
import palyra.api.Require;

/**
 * Describes where the calls of some tools run, for models: the gateway adds it to the instructions
 * of agents that have such tools. Registered as a service by a bundle whose tools reach the host;
 * for several, the highest {@code service.ranking} counts. Thread-safe.
 */
@ConsumerType
public interface EnvironmentSource {
    /**
     * Whom it is described to.
     *
     * @param agentId the agent
     * @param policyProfile its profile by which policies decide; empty for none
     * @param tools names of the tools that it may use
     */
    record Reader(String agentId, String policyProfile, Set<String> tools) {
        /** Checks and copies. */
        public Reader {
            Require.text(agentId, "agent id");
            policyProfile = Require.orEmpty(policyProfile);
            tools = Set.copyOf(tools);
        }
    }

    /**
     * Returns the description, plain text of at most 1,500 bytes of UTF-8 without anything secret;
     * empty when the reader has no tool that reaches the host. The same for every call while
     * configuration and host are the same, since models keep the beginning of a request. Takes
     * milliseconds and starts nothing.
     */
    String describe(Reader reader);
}
