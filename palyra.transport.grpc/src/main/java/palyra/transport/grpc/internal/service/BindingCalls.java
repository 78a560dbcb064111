package palyra.transport.grpc.internal.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.AgentBinding;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.ListAgentBindingsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentBindingsResponse;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextResponse;

/** Calls about which agent answers whom: by session, or by principal and channel. Thread-safe. */
final class BindingCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 500;
    private static final String BIND = "agent.bind";

    private final Gate<AgentRegistry> agents;
    private final Gate<Runs> runs;
    private final Permissions permissions;

    BindingCalls(Gate<AgentRegistry> agents, Gate<Runs> runs, Permissions permissions) {
        this.agents = agents;
        this.runs = runs;
        this.permissions = permissions;
    }

    ListAgentBindingsResponse list(Caller caller, ListAgentBindingsRequest request) {
        Requests.version(request.getV());
        String sessionId =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        int limit = Requests.limit(request.getLimit(), USUAL_PAGE, LARGEST_PAGE);
        principal(caller, request.getPrincipal());
        List<AgentBinding> found =
                sessionId.isEmpty()
                        ? contexts(visibleOwner(caller.principal(), request.getPrincipal()))
                        : ofSession(caller, sessionId);
        ListAgentBindingsResponse.Builder response = ListAgentBindingsResponse.newBuilder();
        found.stream()
                .filter(binding -> fits(request.getAgentId(), binding.getAgentId()))
                .filter(binding -> fits(request.getPrincipal(), binding.getPrincipal()))
                .filter(binding -> fits(request.getChannel(), binding.getChannel()))
                .limit(limit)
                .forEach(response::addBindings);
        return response.setV(1).build();
    }

    /**
     * Returns the principal whose bindings are listed; empty means all principals, which only
     * operators may list.
     */
    private String visibleOwner(Principal asking, String principal) {
        String owner = principal;
        if (owner.isEmpty() && !asking.in("operator")) {
            owner = asking.id();
        }
        permissions.readContextOf(asking, owner.isEmpty() ? asking.id() : owner);
        return owner;
    }

    private List<AgentBinding> contexts(String owner) {
        return GateCalls.call(agents, AgentRegistry::bindings).stream()
                .filter(binding -> fits(owner, binding.principal()))
                .map(AgentMapper::binding)
                .toList();
    }

    private static boolean fits(String wanted, String found) {
        return wanted.isEmpty() || wanted.equals(found);
    }

    private List<AgentBinding> ofSession(Caller caller, String sessionId) {
        permissions.read(caller.principal(), "agent.read", "", "");
        SessionView session = SessionCalls.require(runs, caller.principal(), sessionId);
        return session.agentId().isEmpty()
                ? List.of()
                : List.of(sessionBinding(session, session.agentId()));
    }

    BindAgentForContextResponse bind(Caller caller, BindAgentForContextRequest request) {
        Requests.version(request.getV());
        String agentId = Requests.text(request.getAgentId(), "agent_id");
        String sessionId =
                Requests.idOrEmpty(request.hasSessionId(), request.getSessionId(), "session_id");
        String channel = Requests.channel(request.getChannel(), "channel");
        return sessionId.isEmpty()
                ? bindContext(caller, agentId, principal(caller, request.getPrincipal()), channel)
                : bindSession(caller, agentId, request.getPrincipal(), channel, sessionId);
    }

    private BindAgentForContextResponse bindContext(
            Caller caller, String agentId, String principal, String channel) {
        Authorized permit =
                permissions.change(
                        caller.principal(),
                        BIND,
                        "agent:" + Requests.brief(agentId),
                        principal,
                        Map.of("principal", principal, "channel", channel));
        AgentCalls.require(agents, agentId);
        boolean existed =
                GateCalls.call(agents, AgentRegistry::bindings).stream()
                        .anyMatch(
                                binding ->
                                        binding.principal().equals(principal)
                                                && binding.channel().equals(channel));
        AgentRegistry.Binding wanted = new AgentRegistry.Binding(principal, channel, agentId);
        AgentRegistry.Binding made =
                GateCalls.call(agents, registry -> registry.bind(permit, wanted));
        return BindAgentForContextResponse.newBuilder()
                .setV(1)
                .setBinding(AgentMapper.binding(made))
                .setCreated(!existed)
                .build();
    }

    private BindAgentForContextResponse bindSession(
            Caller caller, String agentId, String principal, String channel, String sessionId) {
        SessionView session = SessionCalls.require(runs, caller.principal(), sessionId);
        Require.that(
                fits(principal, session.principal()) && fits(channel, session.channel()),
                "principal and channel are not those of session "
                        + sessionId
                        + "; leave them out to bind the session");
        Authorized permit =
                permissions.change(
                        caller.principal(),
                        BIND,
                        "session:" + sessionId,
                        session.principal(),
                        Map.of("agent", Requests.brief(agentId)));
        AgentCalls.require(agents, agentId);
        GateCalls.run(agents, registry -> registry.bindSession(permit, sessionId, agentId));
        return BindAgentForContextResponse.newBuilder()
                .setV(1)
                .setBinding(sessionBinding(session, agentId))
                .setCreated(session.agentId().isEmpty())
                .build();
    }

    UnbindAgentForContextResponse unbind(Caller caller, UnbindAgentForContextRequest request) {
        Requests.version(request.getV());
        Require.that(
                !request.hasSessionId(),
                "session_id is set: what a session is bound to can be replaced with"
                        + " BindAgentForContext and not removed");
        String principal = principal(caller, request.getPrincipal());
        String channel = Requests.channel(request.getChannel(), "channel");
        Authorized permit =
                permissions.change(
                        caller.principal(),
                        "agent.unbind",
                        "principal:" + principal,
                        principal,
                        Map.of("channel", channel));
        Optional<AgentRegistry.Binding> before =
                GateCalls.call(agents, AgentRegistry::bindings).stream()
                        .filter(
                                binding ->
                                        binding.principal().equals(principal)
                                                && binding.channel().equals(channel))
                        .findFirst();
        boolean removed =
                GateCalls.call(agents, registry -> registry.unbind(permit, principal, channel));
        return UnbindAgentForContextResponse.newBuilder()
                .setV(1)
                .setRemoved(removed)
                .setRemovedAgentId(
                        removed ? before.map(AgentRegistry.Binding::agentId).orElse("") : "")
                .build();
    }

    private static AgentBinding sessionBinding(SessionView session, String agentId) {
        return AgentBinding.newBuilder()
                .setPrincipal(session.principal())
                .setChannel(session.channel())
                .setSessionId(ApiMapper.id(session.sessionId()))
                .setAgentId(agentId)
                .setUpdatedAtUnixMs(session.updatedAtMillis())
                .build();
    }

    /** Returns the principal of a request: the caller when it names none. */
    static String principal(Caller caller, String named) {
        Require.that(
                named.isEmpty() || named.matches("[A-Za-z0-9._:@-]{1,128}"),
                "principal '"
                        + Requests.brief(named)
                        + "' is not usable: up to 128 of letters, digits and . _ : @ -");
        return named.isEmpty() ? caller.principal().id() : named;
    }
}
