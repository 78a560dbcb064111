package palyra.transport.grpc.internal.service;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.GetAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.GetAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsResponse;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentResponse;

/** Calls about agents. Thread-safe. */
final class AgentCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 500;
    private static final String READ = "agent.read";

    private final Gate<AgentRegistry> agents;
    private final Permissions permissions;

    AgentCalls(Gate<AgentRegistry> agents, Permissions permissions) {
        this.agents = agents;
        this.permissions = permissions;
    }

    ListAgentsResponse list(Caller caller, ListAgentsRequest request) {
        Requests.version(request.getV());
        int limit = Requests.limit(request.getLimit(), USUAL_PAGE, LARGEST_PAGE);
        permissions.read(caller.principal(), READ, "", "");
        List<AgentView> after =
                GateCalls.call(agents, AgentRegistry::agents).stream()
                        .filter(agent -> agent.agentId().compareTo(request.getAfterAgentId()) > 0)
                        .toList();
        List<AgentView> page = after.subList(0, Math.min(limit, after.size()));
        ListAgentsResponse.Builder response =
                ListAgentsResponse.newBuilder().setV(1).setDefaultAgentId(standard());
        page.forEach(agent -> response.addAgents(AgentMapper.agent(agent)));
        if (page.size() < after.size()) {
            response.setNextAfterAgentId(page.getLast().agentId());
        }
        return response.build();
    }

    GetAgentResponse get(Caller caller, GetAgentRequest request) {
        Requests.version(request.getV());
        String id = Requests.text(request.getAgentId(), "agent_id");
        permissions.read(caller.principal(), READ, "agent:" + Requests.brief(id), "");
        AgentView agent = require(agents, id);
        return GetAgentResponse.newBuilder()
                .setV(1)
                .setAgent(AgentMapper.agent(agent))
                .setIsDefault(agent.agentId().equals(standard()))
                .build();
    }

    static AgentView require(Gate<AgentRegistry> agents, String agentId) {
        return GateCalls.call(agents, registry -> registry.agent(agentId))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent '"
                                                + Requests.brief(agentId)
                                                + "'; list them with ListAgents."));
    }

    private String standard() {
        return GateCalls.call(agents, AgentRegistry::defaultAgentId);
    }

    CreateAgentResponse create(Caller caller, CreateAgentRequest request) {
        Requests.version(request.getV());
        Requests.text(request.getAgentId(), "agent_id");
        Requests.unsupported(!request.getAgentDir().isEmpty(), "agent_dir");
        Requests.unsupported(request.getWorkspaceRootsCount() > 0, "workspace_roots");
        Requests.unsupported(
                request.getDefaultSkillAllowlistCount() > 0, "default_skill_allowlist");
        Requests.unsupported(request.getAllowAbsolutePaths(), "allow_absolute_paths");
        Requests.unsupported(
                !request.getExecutionBackendPreference().isEmpty(), "execution_backend_preference");
        AgentView wanted = AgentMapper.wanted(request);
        boolean makeDefault = request.getSetDefault();
        Authorized permit = permitToCreate(caller.principal(), wanted.agentId(), makeDefault);
        String before = standard();
        AgentView made =
                GateCalls.call(agents, registry -> registry.create(permit, wanted, makeDefault));
        return CreateAgentResponse.newBuilder()
                .setV(1)
                .setAgent(AgentMapper.agent(made))
                .setDefaultChanged(makeDefault && !before.equals(made.agentId()))
                .setDefaultAgentId(standard())
                .build();
    }

    /** Making it the default needs what {@code SetDefaultAgent} needs as well. */
    private Authorized permitToCreate(Principal principal, String agentId, boolean makeDefault) {
        if (makeDefault) {
            permissions.read(principal, "agent.set_default", "agent:" + agentId, "");
        }
        return permissions.change(principal, "agent.create", "agent:" + agentId);
    }

    DeleteAgentResponse delete(Caller caller, DeleteAgentRequest request) {
        Requests.version(request.getV());
        String id = Requests.text(request.getAgentId(), "agent_id");
        Authorized permit = permit(caller, "agent.delete", id);
        AgentView agent = require(agents, id);
        String before = standard();
        long bound =
                GateCalls.call(agents, AgentRegistry::bindings).stream()
                        .filter(binding -> binding.agentId().equals(agent.agentId()))
                        .count();
        GateCalls.run(agents, registry -> registry.delete(permit, agent.agentId()));
        return DeleteAgentResponse.newBuilder()
                .setV(1)
                .setDeletedAgentId(agent.agentId())
                .setDeleted(true)
                .setRemovedBindingsCount((int) bound)
                .setPreviousDefaultAgentId(before)
                .setDefaultAgentId(standard())
                .build();
    }

    SetDefaultAgentResponse setDefault(Caller caller, SetDefaultAgentRequest request) {
        Requests.version(request.getV());
        String id = Requests.text(request.getAgentId(), "agent_id");
        Authorized permit = permit(caller, "agent.set_default", id);
        require(agents, id);
        String before = standard();
        GateCalls.run(agents, registry -> registry.setDefault(permit, id));
        return SetDefaultAgentResponse.newBuilder()
                .setV(1)
                .setPreviousAgentId(before)
                .setDefaultAgentId(id)
                .build();
    }

    private Authorized permit(Caller caller, String action, String agentId) {
        Require.that(
                agentId.length() <= Requests.MAX_NAME,
                "agent_id has " + agentId.length() + " characters; an id has at most 64");
        return permissions.change(caller.principal(), action, "agent:" + Requests.brief(agentId));
    }
}
