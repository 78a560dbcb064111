package palyra.transport.grpc.internal.service;

import java.util.List;
import palyra.api.Require;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.transport.grpc.internal.wire.gateway.Agent;
import palyra.transport.grpc.internal.wire.gateway.AgentBinding;
import palyra.transport.grpc.internal.wire.gateway.AgentResolutionSource;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentRequest;

/** Maps agents and bindings to and from messages. Pure functions. */
final class AgentMapper {
    private static final char SEPARATOR = '/';

    /** Marks the name of a configured model profile. */
    private static final String PROFILE = "profile:";

    private AgentMapper() {}

    static Agent agent(AgentView agent) {
        return Agent.newBuilder()
                .setAgentId(agent.agentId())
                .setDisplayName(agent.displayName())
                .setDefaultModelProfile(profile(agent))
                .addAllDefaultToolAllowlist(agent.tools())
                .setCreatedAtUnixMs(agent.createdAtMillis())
                .setUpdatedAtUnixMs(agent.updatedAtMillis())
                .setSystemPrompt(agent.systemPrompt())
                .setSystemPromptSha256(agent.systemPromptSha256())
                .setTest(agent.test())
                .build();
    }

    private static String profile(AgentView agent) {
        if (!agent.modelProfile().isEmpty()) {
            return PROFILE + agent.modelProfile();
        }
        return agent.model().isEmpty()
                ? agent.provider()
                : agent.provider() + SEPARATOR + agent.model();
    }

    /** Returns the agent that a client would like to make. */
    static AgentView wanted(CreateAgentRequest request) {
        String given = request.getDefaultModelProfile();
        String named = given.startsWith(PROFILE) ? given.substring(PROFILE.length()) : "";
        Require.that(
                !given.equals(PROFILE),
                "default_model_profile 'profile:' names no profile; it takes profile:NAME, provider"
                        + " or provider/model");
        String profile = named.isEmpty() ? given : "";
        int at = profile.indexOf(SEPARATOR);
        Require.that(
                at < 0 || at < profile.length() - 1,
                "default_model_profile '"
                        + Requests.brief(profile)
                        + "' ends with a slash; it takes profile:NAME, provider or provider/model");
        return new AgentView(
                request.getAgentId(),
                request.getDisplayName(),
                request.getSystemPrompt(),
                "",
                at < 0 ? profile : profile.substring(0, at),
                at < 0 ? "" : profile.substring(at + 1),
                List.copyOf(request.getDefaultToolAllowlistList()),
                request.getTest(),
                0,
                0,
                named,
                "");
    }

    static AgentBinding binding(AgentRegistry.Binding binding) {
        return AgentBinding.newBuilder()
                .setPrincipal(binding.principal())
                .setChannel(binding.channel())
                .setAgentId(binding.agentId())
                .build();
    }

    static AgentResolutionSource source(AgentRegistry.Source source) {
        return switch (source) {
            case SESSION_BINDING -> AgentResolutionSource.AGENT_RESOLUTION_SOURCE_SESSION_BINDING;
            case CONTEXT_BINDING -> AgentResolutionSource.AGENT_RESOLUTION_SOURCE_CONTEXT_BINDING;
            case DEFAULT -> AgentResolutionSource.AGENT_RESOLUTION_SOURCE_DEFAULT;
        };
    }
}
