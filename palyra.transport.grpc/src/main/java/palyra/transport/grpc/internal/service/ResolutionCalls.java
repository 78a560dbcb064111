package palyra.transport.grpc.internal.service;

import java.util.Map;
import palyra.api.Require;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.AgentResolutionSource;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextResponse;

/** Resolves the agent that would answer a principal. Thread-safe. */
final class ResolutionCalls {
    private final Gate<AgentRegistry> agents;
    private final Gate<Runs> runs;
    private final Permissions permissions;

    ResolutionCalls(Gate<AgentRegistry> agents, Gate<Runs> runs, Permissions permissions) {
        this.agents = agents;
        this.runs = runs;
        this.permissions = permissions;
    }

    /** Whose message, in which channel and session; the session's id may be empty. */
    private record Place(String principal, String channel, String sessionId) {}

    ResolveAgentForContextResponse resolve(Caller caller, ResolveAgentForContextRequest request) {
        Requests.version(request.getV());
        Require.that(
                !request.getPersistSessionBinding() || request.hasSessionId(),
                "persist_session_binding is set without session_id; say which session to bind");
        Place place = place(caller, request);
        permissions.readContextOf(caller.principal(), place.principal());
        AgentRegistry.Resolution found =
                GateCalls.call(
                        agents,
                        registry ->
                                registry.resolve(
                                        place.principal(), place.channel(), place.sessionId()));
        boolean prefer =
                !request.getPreferredAgentId().isEmpty()
                        && found.source() == AgentRegistry.Source.DEFAULT;
        AgentView agent =
                prefer ? AgentCalls.require(agents, request.getPreferredAgentId()) : found.agent();
        boolean bind =
                request.getPersistSessionBinding()
                        && found.source() != AgentRegistry.Source.SESSION_BINDING;
        if (bind) {
            bindSession(caller, place, agent.agentId());
        }
        return ResolveAgentForContextResponse.newBuilder()
                .setV(1)
                .setAgent(AgentMapper.agent(agent))
                .setSource(
                        prefer
                                ? AgentResolutionSource.AGENT_RESOLUTION_SOURCE_UNSPECIFIED
                                : AgentMapper.source(found.source()))
                .setBindingCreated(bind)
                .setIsDefault(
                        agent.agentId()
                                .equals(GateCalls.call(agents, AgentRegistry::defaultAgentId)))
                .build();
    }

    private Place place(Caller caller, ResolveAgentForContextRequest request) {
        String sessionId =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        String principal = BindingCalls.principal(caller, request.getPrincipal());
        String channel = Requests.channel(request.getChannel(), "channel");
        if (sessionId.isEmpty()) {
            return new Place(principal, channel.isEmpty() ? caller.channel() : channel, "");
        }
        SessionView session = SessionCalls.require(runs, caller.principal(), sessionId);
        Require.that(
                request.getPrincipal().isEmpty() || principal.equals(session.principal()),
                "principal is not that of session " + sessionId + "; leave it out");
        return new Place(
                session.principal(), channel.isEmpty() ? session.channel() : channel, sessionId);
    }

    private void bindSession(Caller caller, Place place, String agentId) {
        Authorized permit =
                permissions.change(
                        caller.principal(),
                        "agent.bind",
                        "session:" + place.sessionId(),
                        place.principal(),
                        Map.of("agent", agentId));
        GateCalls.run(agents, registry -> registry.bindSession(permit, place.sessionId(), agentId));
    }
}
