package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.transport.grpc.internal.service.Refusals.assertInvalid;
import static palyra.transport.grpc.internal.service.Refusals.assertRefused;

import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.transport.grpc.internal.wire.gateway.Agent;
import palyra.transport.grpc.internal.wire.gateway.AgentBinding;
import palyra.transport.grpc.internal.wire.gateway.AgentResolutionSource;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.CreateAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.DeleteAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.GetAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.GetAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.ListAgentBindingsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListAgentsResponse;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveAgentForContextResponse;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.SessionSummary;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentRequest;
import palyra.transport.grpc.internal.wire.gateway.SetDefaultAgentResponse;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextResponse;

class AgentCallsTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client root;
    private Client alice;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        root = gateway.client("user:root", "operator");
        alice = gateway.client("user:alice", "integrator");
    }

    @AfterEach
    void close() {
        root.close();
        alice.close();
        gateway.close();
    }

    private static CreateAgentRequest.Builder agent(String id) {
        return CreateAgentRequest.newBuilder().setV(1).setAgentId(id);
    }

    private CreateAgentResponse create(CreateAgentRequest.Builder request) {
        return root.call().createAgent(request.build());
    }

    private static GetAgentRequest get(String id) {
        return GetAgentRequest.newBuilder().setV(1).setAgentId(id).build();
    }

    @Test
    void createsAnAgentThatIsThereAfterwards() {
        CreateAgentResponse made =
                create(
                        agent("writer")
                                .setDisplayName("The Writer")
                                .setDefaultModelProfile("openai/gpt/large")
                                .addDefaultToolAllowlist("palyra.echo")
                                .setSystemPrompt("Write well.")
                                .setTest(true));
        assertFalse(made.getDefaultChanged());
        assertEquals("default", made.getDefaultAgentId());
        Agent agent = made.getAgent();
        assertEquals("The Writer", agent.getDisplayName());
        assertEquals("openai/gpt/large", agent.getDefaultModelProfile());
        assertEquals(List.of("palyra.echo"), agent.getDefaultToolAllowlistList());
        assertEquals("Write well.", agent.getSystemPrompt());
        assertEquals(64, agent.getSystemPromptSha256().length());
        assertTrue(agent.getTest());
        GetAgentResponse found = alice.call().getAgent(get("writer"));
        assertEquals(agent, found.getAgent());
        assertFalse(found.getIsDefault());
        assertEquals(0, found.getExecutionBackendsCount());
        assertRefused(Status.Code.ALREADY_EXISTS, () -> create(agent("writer")));
    }

    @Test
    void namesAModelProfileByAPrefixOfItsOwn() {
        Agent made = create(agent("profiled").setDefaultModelProfile("profile:fast")).getAgent();
        assertEquals("profile:fast", made.getDefaultModelProfile());
        assertEquals(
                "profile:fast",
                alice.call().getAgent(get("profiled")).getAgent().getDefaultModelProfile());
        assertInvalid(
                "default_model_profile",
                () -> create(agent("a").setDefaultModelProfile("profile:")));
        assertInvalid(
                "model profile", () -> create(agent("a").setDefaultModelProfile("profile:x/y")));
    }

    @Test
    void listsAgentsInPages() {
        create(agent("aaa"));
        create(agent("zzz"));
        ListAgentsRequest.Builder request = ListAgentsRequest.newBuilder().setV(1).setLimit(2);
        ListAgentsResponse first = alice.call().listAgents(request.build());
        assertEquals(
                List.of("aaa", "default"),
                first.getAgentsList().stream().map(Agent::getAgentId).toList());
        assertEquals("default", first.getDefaultAgentId());
        assertEquals("default", first.getNextAfterAgentId());
        ListAgentsResponse second =
                alice.call().listAgents(request.setAfterAgentId("default").build());
        assertEquals(
                List.of("zzz"), second.getAgentsList().stream().map(Agent::getAgentId).toList());
        assertEquals("", second.getNextAfterAgentId());
    }

    @Test
    void changesTheDefault() {
        CreateAgentResponse made = create(agent("first").setSetDefault(true));
        assertTrue(made.getDefaultChanged());
        assertEquals("first", made.getDefaultAgentId());
        SetDefaultAgentResponse back =
                root.call()
                        .setDefaultAgent(
                                SetDefaultAgentRequest.newBuilder()
                                        .setV(1)
                                        .setAgentId("default")
                                        .build());
        assertEquals("first", back.getPreviousAgentId());
        assertEquals("default", back.getDefaultAgentId());
        assertTrue(alice.call().getAgent(get("default")).getIsDefault());
        assertRefused(
                Status.Code.NOT_FOUND,
                () ->
                        root.call()
                                .setDefaultAgent(
                                        SetDefaultAgentRequest.newBuilder()
                                                .setV(1)
                                                .setAgentId("nobody")
                                                .build()));
    }

    @Test
    void needsPermissionForTheDefaultToCreateTheDefault() {
        try (Client maker =
                gateway.client(gateway.token("user:maker", Set.of("agent.create"), "operator"))) {
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    () -> maker.call().createAgent(agent("mine").setSetDefault(true).build()));
            assertRefused(Status.Code.NOT_FOUND, () -> alice.call().getAgent(get("mine")));
            assertEquals(
                    "mine",
                    maker.call().createAgent(agent("mine").build()).getAgent().getAgentId());
        }
    }

    private static DeleteAgentRequest delete(String id) {
        return DeleteAgentRequest.newBuilder().setV(1).setAgentId(id).build();
    }

    @Test
    void deletesAnAgentWithItsBindings() {
        create(agent("helper"));
        bind(context("helper", "user:alice", ""));
        bind(context("helper", "user:alice", "cli"));
        DeleteAgentResponse gone = root.call().deleteAgent(delete("helper"));
        assertTrue(gone.getDeleted());
        assertEquals("helper", gone.getDeletedAgentId());
        assertEquals(2, gone.getRemovedBindingsCount());
        assertEquals("default", gone.getDefaultAgentId());
        assertEquals(List.of(), bindings(root, ListAgentBindingsRequest.newBuilder()));
        assertRefused(Status.Code.NOT_FOUND, () -> root.call().deleteAgent(delete("helper")));
        assertRefused(
                Status.Code.FAILED_PRECONDITION, () -> root.call().deleteAgent(delete("default")));
    }

    @Test
    void leavesAgentsToOperators() {
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () -> alice.call().createAgent(agent("mine").build()));
        assertRefused(
                Status.Code.PERMISSION_DENIED, () -> alice.call().deleteAgent(delete("default")));
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () ->
                        alice.call()
                                .setDefaultAgent(
                                        SetDefaultAgentRequest.newBuilder()
                                                .setV(1)
                                                .setAgentId("default")
                                                .build()));
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () -> alice.call().bindAgentForContext(context("default", "", "").build()));
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () -> alice.call().unbindAgentForContext(unbind("", "").build()));
        try (Client nobody = gateway.client(gateway.token("user:nobody", "viewer"))) {
            assertEquals("default", nobody.call().getAgent(get("default")).getAgent().getAgentId());
        }
    }

    @Test
    void refusesAgentsThatCannotBeMade() {
        assertInvalid("v is 0", () -> create(agent("a").setV(0)));
        assertInvalid("agent_id is missing", () -> create(agent("")));
        assertInvalid("agent id", () -> create(agent("Not An Id")));
        assertInvalid("agent_dir", () -> create(agent("a").setAgentDir("/tmp")));
        assertInvalid("workspace_roots", () -> create(agent("a").addWorkspaceRoots("/")));
        assertInvalid(
                "default_skill_allowlist", () -> create(agent("a").addDefaultSkillAllowlist("s")));
        assertInvalid("allow_absolute_paths", () -> create(agent("a").setAllowAbsolutePaths(true)));
        assertInvalid(
                "execution_backend_preference",
                () -> create(agent("a").setExecutionBackendPreference("auto")));
        assertInvalid(
                "default_model_profile",
                () -> create(agent("a").setDefaultModelProfile("openai/")));
        assertInvalid("tool", () -> create(agent("a").addDefaultToolAllowlist("rm -rf")));
        assertInvalid("65536", () -> create(agent("a").setSystemPrompt("p".repeat(65_537))));
        assertInvalid(
                "agent_id is missing",
                () -> root.call().getAgent(GetAgentRequest.newBuilder().setV(1).build()));
        assertRefused(Status.Code.NOT_FOUND, () -> root.call().getAgent(get("nobody")));
        assertEquals(
                1,
                root.call()
                        .listAgents(ListAgentsRequest.newBuilder().setV(1).build())
                        .getAgentsCount());
    }

    private static BindAgentForContextRequest.Builder context(
            String agent, String principal, String channel) {
        return BindAgentForContextRequest.newBuilder()
                .setV(1)
                .setAgentId(agent)
                .setPrincipal(principal)
                .setChannel(channel);
    }

    private BindAgentForContextResponse bind(BindAgentForContextRequest.Builder request) {
        return root.call().bindAgentForContext(request.build());
    }

    private static UnbindAgentForContextRequest.Builder unbind(String principal, String channel) {
        return UnbindAgentForContextRequest.newBuilder()
                .setV(1)
                .setPrincipal(principal)
                .setChannel(channel);
    }

    private static List<AgentBinding> bindings(
            Client client, ListAgentBindingsRequest.Builder request) {
        return client.call().listAgentBindings(request.setV(1).build()).getBindingsList();
    }

    @Test
    void bindsPrincipalAndChannel() {
        create(agent("helper"));
        BindAgentForContextResponse made = bind(context("helper", "user:alice", "cli"));
        assertTrue(made.getCreated());
        assertEquals("user:alice", made.getBinding().getPrincipal());
        assertEquals("cli", made.getBinding().getChannel());
        assertEquals("helper", made.getBinding().getAgentId());
        assertFalse(bind(context("default", "user:alice", "cli")).getCreated());
        assertEquals("user:root", bind(context("helper", "", "")).getBinding().getPrincipal());
        UnbindAgentForContextResponse gone =
                root.call().unbindAgentForContext(unbind("user:alice", "cli").build());
        assertTrue(gone.getRemoved());
        assertEquals("default", gone.getRemovedAgentId());
        assertFalse(
                root.call()
                        .unbindAgentForContext(unbind("user:alice", "cli").build())
                        .getRemoved());
        assertRefused(Status.Code.NOT_FOUND, () -> bind(context("nobody", "", "")));
    }

    @Test
    void listsOnlyWhatOneMaySee() {
        create(agent("helper"));
        bind(context("helper", "user:alice", "cli"));
        bind(context("default", "user:alice", ""));
        bind(context("helper", "user:bob", ""));
        assertEquals(3, bindings(root, ListAgentBindingsRequest.newBuilder()).size());
        assertEquals(
                1,
                bindings(
                                root,
                                ListAgentBindingsRequest.newBuilder()
                                        .setAgentId("helper")
                                        .setPrincipal("user:alice"))
                        .size());
        assertEquals(1, bindings(root, ListAgentBindingsRequest.newBuilder().setLimit(1)).size());
        assertEquals(2, bindings(alice, ListAgentBindingsRequest.newBuilder()).size());
        assertEquals(
                1, bindings(alice, ListAgentBindingsRequest.newBuilder().setChannel("cli")).size());
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () ->
                        bindings(
                                alice,
                                ListAgentBindingsRequest.newBuilder().setPrincipal("user:bob")));
    }

    private SessionSummary session(Client client, String key) {
        return client.call()
                .resolveSession(
                        ResolveSessionRequest.newBuilder().setV(1).setSessionKey(key).build())
                .getSession();
    }

    @Test
    void bindsASession() {
        create(agent("helper"));
        SessionSummary session = session(alice, "work");
        BindAgentForContextRequest.Builder request =
                context("helper", "", "").setSessionId(session.getSessionId());
        BindAgentForContextResponse made = bind(request);
        assertTrue(made.getCreated());
        assertEquals("user:alice", made.getBinding().getPrincipal());
        assertEquals(session.getSessionId(), made.getBinding().getSessionId());
        assertEquals("helper", session(alice, "work").getAgentId());
        assertFalse(bind(request.setAgentId("default")).getCreated());
        assertEquals(
                List.of("default"),
                bindings(
                                alice,
                                ListAgentBindingsRequest.newBuilder()
                                        .setSessionId(session.getSessionId()))
                        .stream()
                        .map(AgentBinding::getAgentId)
                        .toList());
        assertInvalid("session", () -> bind(request.setPrincipal("user:bob")));
        assertRefused(
                Status.Code.NOT_FOUND,
                () -> bind(context("helper", "", "").setSessionId(ApiMapper.id(Ids.next()))));
        assertRefused(
                Status.Code.NOT_FOUND, () -> bind(request.clearPrincipal().setAgentId("nobody")));
        assertInvalid(
                "session_id",
                () ->
                        root.call()
                                .unbindAgentForContext(
                                        unbind("", "")
                                                .setSessionId(session.getSessionId())
                                                .build()));
    }

    private static ResolveAgentForContextRequest.Builder resolve() {
        return ResolveAgentForContextRequest.newBuilder().setV(1);
    }

    private static ResolveAgentForContextResponse resolve(
            Client client, ResolveAgentForContextRequest.Builder request) {
        return client.call().resolveAgentForContext(request.build());
    }

    @Test
    void saysWhoWouldAnswerAndWhy() {
        create(agent("helper"));
        create(agent("other"));
        ResolveAgentForContextResponse standard = resolve(alice, resolve());
        assertEquals("default", standard.getAgent().getAgentId());
        assertTrue(standard.getIsDefault());
        assertEquals(AgentResolutionSource.AGENT_RESOLUTION_SOURCE_DEFAULT, standard.getSource());
        ResolveAgentForContextResponse preferred =
                resolve(alice, resolve().setPreferredAgentId("other"));
        assertEquals("other", preferred.getAgent().getAgentId());
        assertEquals(
                AgentResolutionSource.AGENT_RESOLUTION_SOURCE_UNSPECIFIED, preferred.getSource());
        bind(context("helper", "user:alice", "cli"));
        ResolveAgentForContextResponse bound =
                resolve(alice, resolve().setChannel("cli").setPreferredAgentId("other"));
        assertEquals("helper", bound.getAgent().getAgentId());
        assertFalse(bound.getIsDefault());
        assertEquals(
                AgentResolutionSource.AGENT_RESOLUTION_SOURCE_CONTEXT_BINDING, bound.getSource());
        assertEquals(
                "helper",
                resolve(root, resolve().setPrincipal("user:alice").setChannel("cli"))
                        .getAgent()
                        .getAgentId());
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                () -> resolve(alice, resolve().setPrincipal("user:root")));
        assertRefused(
                Status.Code.NOT_FOUND,
                () -> resolve(alice, resolve().setPreferredAgentId("nobody")));
    }

    @Test
    void keepsTheAnswerForASessionWhenAsked() {
        create(agent("helper"));
        SessionSummary session = session(alice, "work");
        ResolveAgentForContextRequest.Builder request =
                resolve()
                        .setSessionId(session.getSessionId())
                        .setPreferredAgentId("helper")
                        .setPersistSessionBinding(true);
        assertRefused(Status.Code.PERMISSION_DENIED, () -> resolve(alice, request));
        assertEquals("", session(alice, "work").getAgentId());
        assertTrue(resolve(root, request).getBindingCreated());
        assertEquals("helper", session(alice, "work").getAgentId());
        ResolveAgentForContextResponse again = resolve(root, request);
        assertFalse(again.getBindingCreated());
        assertEquals(
                AgentResolutionSource.AGENT_RESOLUTION_SOURCE_SESSION_BINDING, again.getSource());
        assertInvalid(
                "persist_session_binding",
                () -> resolve(root, resolve().setPersistSessionBinding(true)));
        assertInvalid(
                "principal",
                () ->
                        resolve(
                                root,
                                resolve()
                                        .setPrincipal("user:bob")
                                        .setSessionId(session.getSessionId())));
        try (Client bob = gateway.client("user:bob", "integrator")) {
            assertRefused(
                    Status.Code.NOT_FOUND,
                    () -> resolve(bob, resolve().setSessionId(session.getSessionId())));
        }
    }

    @Test
    void refusesContextsThatCannotBeUnderstood() {
        assertInvalid("v is 0", () -> bind(context("default", "", "").setV(0)));
        assertInvalid("agent_id is missing", () -> bind(context("", "", "")));
        assertInvalid("principal", () -> bind(context("default", "a b", "")));
        assertInvalid("channel", () -> bind(context("default", "", "c".repeat(65))));
        assertInvalid("channel", () -> bind(context("default", "", "a\u202eb")));
        assertInvalid(
                "session_id",
                () -> bind(context("default", "", "").setSessionId(ApiMapper.id("x"))));
        assertInvalid(
                "principal",
                () -> bindings(root, ListAgentBindingsRequest.newBuilder().setPrincipal("a b")));
        assertInvalid(
                "limit", () -> bindings(root, ListAgentBindingsRequest.newBuilder().setLimit(501)));
    }
}
