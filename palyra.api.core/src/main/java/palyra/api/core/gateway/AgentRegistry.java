package palyra.api.core.gateway;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.core.access.Authorized;
import palyra.api.tool.ToolDescriptor;

/**
 * The agents. A fresh installation has one, {@code default}, which uses the deterministic model and
 * may use {@code palyra.echo} and {@code palyra.sleep}. Thread-safe.
 */
@ProviderType
public interface AgentRegistry {
    /** How an agent was found for a context. */
    enum Source {
        /** The session is bound to it. */
        SESSION_BINDING,
        /** Principal and channel are bound to it. */
        CONTEXT_BINDING,
        /** It is the default. */
        DEFAULT
    }

    /** An agent found for a context. */
    record Resolution(AgentView agent, Source source) {}

    /**
     * A binding of principal and channel to an agent; an empty channel means every channel without
     * a binding of its own.
     */
    record Binding(String principal, String channel, String agentId) {}

    /**
     * What a model is told before a conversation.
     *
     * @param instructions those of the agent and where its tools work; empty for none
     * @param tools the tools that it may use, as it is told of them
     */
    record ModelPrompt(String instructions, List<ToolDescriptor> tools) {
        /** Copies. */
        public ModelPrompt {
            tools = List.copyOf(tools);
        }
    }

    /** Creates an agent. ALREADY_EXISTS, INVALID_ARGUMENT. Permit for {@code agent.create}. */
    AgentView create(Authorized permit, AgentView agent, boolean makeDefault);

    /** Replaces an agent's settings. NOT_FOUND. Permit for {@code agent.update}. */
    AgentView update(Authorized permit, AgentView agent);

    /**
     * Deletes an agent and its bindings. CONFLICT for the default agent. Permit for {@code
     * agent.delete}.
     */
    void delete(Authorized permit, String agentId);

    /** Makes an agent the default. NOT_FOUND. Permit for {@code agent.set_default}. */
    void setDefault(Authorized permit, String agentId);

    /**
     * Binds principal and channel to an agent, replacing an earlier binding. NOT_FOUND. Permit for
     * {@code agent.bind}.
     */
    Binding bind(Authorized permit, Binding binding);

    /**
     * Binds a live session to an agent; its next message is answered by that agent. NOT_FOUND for
     * an unknown agent or session. Permit for {@code agent.bind}.
     */
    void bindSession(Authorized permit, String sessionId, String agentId);

    /** Removes a binding; returns whether there was one. Permit for {@code agent.unbind}. */
    boolean unbind(Authorized permit, String principal, String channel);

    /** Returns the agent of that id; throws CORRUPT for one that is there and cannot be read. */
    Optional<AgentView> agent(String agentId);

    /** Returns all agents by id. */
    List<AgentView> agents();

    /**
     * Returns why runs of an agent would find no model now, such as a provider that is not there,
     * with the remedy; empty when there is one.
     */
    default Optional<String> obstacle(AgentView agent) {
        return Optional.empty();
    }

    /** Returns every tool that is on offer now, by name; agents may use those on their lists. */
    default List<ToolDescriptor> tools() {
        return List.of();
    }

    /**
     * Returns what a run of a principal would tell the model of an agent now, without secrets.
     * MODEL_UNAVAILABLE when its prompt profile is absent; KEYS_UNAVAILABLE while the vault is
     * away.
     */
    default ModelPrompt prompt(AgentView agent, String principal) {
        return new ModelPrompt(agent.systemPrompt(), tools());
    }

    /** Returns the ids of the model providers that are there now, sorted. */
    default List<String> providers() {
        return List.of();
    }

    /** Returns all bindings. */
    List<Binding> bindings();

    /** Returns the id of the default agent. */
    String defaultAgentId();

    /** Finds the agent for a context; {@code sessionId} may be empty. */
    Resolution resolve(String principal, String channel, String sessionId);
}
