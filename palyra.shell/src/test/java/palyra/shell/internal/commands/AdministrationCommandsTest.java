package palyra.shell.internal.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.BundleContext;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunLoss;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.run.RejectedMessages;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.testing.journal.MemoryKeys;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
class AdministrationCommandsTest {
    @TempDir Path state;
    private final HostFixture fixture = new HostFixture();
    private final FakeRuns runs = new FakeRuns();
    private final MemoryKeys keys = new MemoryKeys();
    private final Map<String, AgentView> agents = new LinkedHashMap<>();
    private final List<String> changes = new ArrayList<>();

    @BeforeEach
    void add() {
        fixture.seams.runs().add(runs, Map.of());
        fixture.seams.keys().add(keys, Map.of());
        fixture.seams.agents().add(Partial.of(AgentRegistry.class, new FakeAgents()), Map.of());
        agents.put("default", new AgentView("default", "", "", "", "", "", List.of(), false, 1, 1));
        BundleContext context =
                Partial.of(
                        BundleContext.class,
                        new Object() {
                            public String getProperty(String name) {
                                return state.toString();
                            }
                        });
        List.of(
                        new AgentsListCommand(fixture.seams),
                        new AgentsShowCommand(fixture.seams),
                        new AgentsPromptCommand(fixture.seams),
                        new AgentsCreateCommand(fixture.seams),
                        new AgentsUpdateCommand(fixture.seams),
                        new AgentsDeleteCommand(fixture.seams),
                        new AgentsDefaultCommand(fixture.seams),
                        new AgentsBindCommand(fixture.seams),
                        new AgentsUnbindCommand(fixture.seams),
                        new AgentsResolveCommand(fixture.seams),
                        new ToolsListCommand(fixture.seams),
                        new ToolsShowCommand(fixture.seams),
                        new AccessWhoamiCommand(),
                        new AccessTokensCommand(fixture.seams),
                        new AccessTokenCreateCommand(fixture.seams),
                        new AccessTokenRevokeCommand(fixture.seams),
                        new AccessKeysCommand(fixture.seams),
                        new AccessKeyRotateCommand(fixture.seams),
                        new RunsCommand(fixture.seams),
                        new RunShowCommand(fixture.seams),
                        new RunCancelCommand(fixture.seams),
                        new RunRetryCommand(fixture.seams),
                        new SessionsListCommand(fixture.seams),
                        new SessionsShowCommand(fixture.seams),
                        new SessionsArchiveCommand(fixture.seams),
                        new EventAppendCommand(fixture.seams),
                        new LogsCommand(context))
                .forEach(fixture::add);
    }

    private static ToolDescriptor tool(String name) {
        return new ToolDescriptor(
                name,
                "Does what it is called.",
                "{\"type\":\"object\",\"required\":[\"text\"]}",
                Set.of(Capability.NETWORK, Capability.FILESYSTEM_READ),
                true,
                true,
                5_000,
                16_384);
    }

    @Test
    void thePromptOfAnAgentIsShownWithItsTools() throws Exception {
        String text = ok("agents", "prompt", "default").outText();
        assertTrue(text.contains("Speak to user:op."), text);
        assertTrue(text.contains("# Tool palyra.echo\nDoes what it is called.\n{"), text);
        JsonNode json =
                new ObjectMapper().readTree(ok("agents", "prompt", "default", "--json").outText());
        assertEquals("text", json.at("/tools/0/inputSchema/required/0").asText());
    }

    /** The few methods of a registry that the commands call. */
    public final class FakeAgents {
        public AgentRegistry.ModelPrompt prompt(AgentView agent, String principal) {
            return new AgentRegistry.ModelPrompt(
                    "Speak to " + principal + ".", List.of(tool("palyra.echo")));
        }

        public AgentView create(Authorized permit, AgentView agent, boolean makeDefault) {
            permit.permit().requireFor("agent.create", System.currentTimeMillis());
            changes.add("create " + agent.agentId() + " " + makeDefault);
            agents.put(agent.agentId(), agent);
            return agent;
        }

        public Optional<String> obstacle(AgentView agent) {
            return Optional.of("Provider '" + agent.provider() + "' is not there.")
                    .filter(sentence -> agent.provider().equals("ghost"));
        }

        public List<ToolDescriptor> tools() {
            return List.of(tool("palyra.echo"), tool("palyra.sleep"));
        }

        public List<String> providers() {
            return List.of("deterministic");
        }

        public AgentView update(Authorized permit, AgentView agent) {
            permit.permit().requireFor("agent.update", System.currentTimeMillis());
            changes.add("update " + agent.agentId());
            agents.put(agent.agentId(), agent);
            return agent;
        }

        public void delete(Authorized permit, String id) {
            permit.permit().requireFor("agent.delete", System.currentTimeMillis());
            changes.add("delete " + id);
        }

        public void setDefault(Authorized permit, String id) {
            permit.permit().requireFor("agent.set_default", System.currentTimeMillis());
            changes.add("default " + id);
        }

        public AgentRegistry.Binding bind(Authorized permit, AgentRegistry.Binding binding) {
            permit.permit().requireFor("agent.bind", System.currentTimeMillis());
            changes.add("bind " + binding);
            return binding;
        }

        public boolean unbind(Authorized permit, String principal, String channel) {
            permit.permit().requireFor("agent.unbind", System.currentTimeMillis());
            return principal.equals("user:bound");
        }

        public Optional<AgentView> agent(String id) {
            if (id.equals("damaged")) {
                throw new PalyraException(ErrorCode.CORRUPT, "It cannot be read; delete it.");
            }
            return Optional.ofNullable(agents.get(id));
        }

        public List<AgentView> agents() {
            return List.copyOf(agents.values());
        }

        public String defaultAgentId() {
            return "default";
        }

        public AgentRegistry.Resolution resolve(String principal, String channel, String session) {
            return new AgentRegistry.Resolution(
                    agents.get("default"), AgentRegistry.Source.DEFAULT);
        }
    }

    private HostFixture.Run ok(String... argv) throws Exception {
        HostFixture.Run run = fixture.run(argv);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        return run;
    }

    @Test
    void createsAnAgentWithWhatWasGiven() throws Exception {
        ok(
                "agents",
                "create",
                "helper",
                "--name",
                "Helper",
                "--prompt",
                "Be brief.",
                "--tool",
                "palyra.echo",
                "--tool",
                "palyra.sleep",
                "--test",
                "true",
                "--default");
        AgentView made = agents.get("helper");
        assertEquals("Be brief.", made.systemPrompt());
        assertEquals(List.of("palyra.echo", "palyra.sleep"), made.tools());
        assertTrue(made.test());
        assertEquals(List.of("create helper true"), changes);
    }

    @Test
    void anAgentOfAProviderThatMayBeMissingIsMadeWithAWarning() throws Exception {
        String warning = "Provider 'ghost' is not there.";
        assertTrue(
                ok("agents", "create", "lost", "--provider", "ghost", "--allow-missing")
                        .outText()
                        .contains(warning));
        assertTrue(ok("agents", "update", "lost", "--name", "Lost").outText().contains(warning));
        assertEquals("ghost", agents.get("lost").provider());
        String other = ok("agents", "create", "found", "--provider", "deterministic").outText();
        assertFalse(other.contains("warning"), other);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "agents create a --profile codign | No policy profile 'codign' is there now; did you mean coding? Look at the policy guide, or give --allow-missing when it comes later.",
                "agents create a --tool palyra.ecoh | No tool 'palyra.ecoh' is there now; did you mean palyra.echo? Look at palyra tools list, or give --allow-missing when it comes later.",
                "agents create a --provider determinstic | No model provider 'determinstic' is there now; did you mean deterministic? Look at palyra models list, or give --allow-missing when it comes later.",
            })
    void aToolOrProviderThatIsNotThereIsRefusedWithTheNearestName(String line, String sentence)
            throws Exception {
        HostFixture.Run run = fixture.run(line.split(" "));
        assertEquals(ExitCodes.USAGE, run.code());
        assertTrue(run.errText().contains(sentence), run.errText());
        assertEquals(List.of(), changes);
    }

    @Test
    void aToolThatIsNotThereAndLikeNoOtherIsTakenWithAWarning() throws Exception {
        String answer = ok("agents", "create", "early", "--tool", "acme.other").outText();
        assertTrue(answer.contains("No tool 'acme.other' is there now."), answer);
        assertEquals(List.of("acme.other"), agents.get("early").tools());
    }

    @Test
    void aToolThatMayBeMissingIsTaken() throws Exception {
        ok("agents", "create", "early", "--tool", "palyra.ecoh", "--allow-missing");
        assertEquals(List.of("palyra.ecoh"), agents.get("early").tools());
    }

    @Test
    void toolsAreListedWithWhatTheyReachAndWhoHasThem() throws Exception {
        ok("agents", "create", "helper", "--tool", "palyra.echo");
        JsonNode list = new ObjectMapper().readTree(ok("tools", "list", "--json").outText());
        assertEquals(2, list.size());
        assertEquals("palyra.echo", list.at("/0/tool").asText());
        assertEquals("[\"network\",\"filesystem_read\"]", list.at("/0/capabilities").toString());
        assertEquals("[\"helper\"]", list.at("/0/agents").toString());
    }

    @Test
    void aToolIsShownWithItsSchemaAndWhatPolicySaysOfEachAgent() throws Exception {
        ok("agents", "create", "helper", "--tool", "palyra.echo");
        String shown = ok("tools", "show", "palyra.echo").outText();
        assertTrue(shown.contains("\"required\""), shown);
        assertTrue(shown.contains("helper"), shown);
        assertTrue(shown.contains("allowed"), shown);
        assertEquals("user:op", fixture.access.toolRequests().get(0).principal());
        JsonNode json =
                new ObjectMapper().readTree(ok("tools", "show", "palyra.echo", "--json").outText());
        assertTrue(json.at("/inputSchema/required").isArray(), json.toString());
        assertEquals("helper", json.at("/agents/0/agent").asText());
        assertEquals("allowed", json.at("/agents/0/yourCall").asText());
        HostFixture.Run run = fixture.run("tools", "show", "palyra.eho");
        assertEquals(ExitCodes.NOT_FOUND, run.code());
        assertTrue(run.errText().contains("did you mean palyra.echo?"), run.errText());
    }

    @Test
    void retryOfARunThatIsNotSetAsideFailsAndNamesItsState() throws Exception {
        assertTrue(ok("run", "retry", FakeRuns.RUN).outText().contains("is tried again"));
        runs.quarantined = false;
        HostFixture.Run run = fixture.run("run", "retry", FakeRuns.RUN);
        assertEquals(ExitCodes.FAILED, run.code());
        assertTrue(
                run.outText().contains(" is RUNNING, not QUARANTINED; nothing was changed."),
                run.outText());
    }

    @Test
    void changesOnlyWhatIsNamed() throws Exception {
        ok("agents", "create", "helper", "--prompt", "Be brief.", "--tool", "palyra.echo");
        ok("agents", "update", "helper", "--name", "New");
        assertEquals("Be brief.", agents.get("helper").systemPrompt());
        assertEquals(List.of("palyra.echo"), agents.get("helper").tools());
        assertEquals("New", agents.get("helper").displayName());
        ok("agents", "update", "helper", "--tool=");
        assertEquals(List.of(), agents.get("helper").tools());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agents create Bad_Name",
                "agents create",
                "agents create x --test maybe",
                "agents update default",
                "agents update missing --name x",
                "agents delete missing",
                "agents default missing",
                "agents bind user:a missing",
                "agents bind user:a",
                "agents unbind user:free",
                "agents show missing",
                "agents prompt missing",
                "agents resolve user:a --session xyz",
                "access token-revoke xyz",
                "access token-create ci --ttl soon",
                "access token-create ci --ttl 5",
                "access token-create ci --group root",
                "access key-rotate data-key",
                "runs --limit 0",
                "runs --limit many",
                "runs --session main",
                "run show xyz",
                "run show 01J0000000000000000000000Z",
                "run cancel",
                "sessions show xyz",
                "sessions archive 01J0000000000000000000000Z",
                "event append 01J00000000000000000000001",
                "event append xyz {}",
                "event append 01J00000000000000000000001 {} --id 7",
                "logs --lines 0",
            })
    void answersBadInputWithOneSentenceAndChangesNothing(String line) throws Exception {
        HostFixture.Run run = fixture.run(line.split(" "));
        assertTrue(
                List.of(ExitCodes.USAGE, ExitCodes.NOT_FOUND).contains(run.code()),
                run.code() + " " + run.errText());
        assertTrue(run.errText().startsWith("palyra: "), run.errText());
        assertEquals(1, run.errText().lines().count());
        assertEquals("", run.outText());
        assertEquals(List.of(), changes);
        assertEquals(List.of(), runs.calls());
        assertEquals(2, keys.published().size());
    }

    @Test
    void anAgentThatCannotBeReadCanBeDeleted() throws Exception {
        HostFixture.Run shown = fixture.run("agents", "show", "damaged");
        assertTrue(shown.errText().contains("cannot be read"), shown.errText());
        ok("agents", "delete", "damaged");
        assertEquals(1, changes.size());
    }

    @Test
    void changesAgentsUnderAPermitOfTheirOwn() throws Exception {
        ok("agents", "delete", "default");
        ok("agents", "default", "default");
        ok("agents", "bind", "user:a", "default", "--channel", "c");
        ok("agents", "unbind", "user:bound");
        assertEquals(3, changes.size());
        assertEquals(
                List.of("agent.delete", "agent.set_default", "agent.bind", "agent.unbind"),
                fixture.access.recordedActions());
        changes.clear();
        fixture.access.as(ShellAccess.VIEWER);
        assertEquals(ExitCodes.DENIED, fixture.run("agents", "delete", "default").code());
        assertEquals(List.of(), changes);
    }

    @Test
    void showsAgentsAsTablesAndJson() throws Exception {
        assertTrue(ok("agents", "list").outText().contains("default"));
        assertTrue(
                new ObjectMapper()
                        .readTree(ok("agents", "show", "default", "--json").outText())
                        .get("default")
                        .asBoolean());
        assertTrue(ok("agents", "resolve", "user:a").outText().contains("DEFAULT"));
        assertEquals("default\n", ok("completion", "--", "agents", "show", "de").outText());
    }

    @Test
    void showsTheSecretOfANewTokenOnce() throws Exception {
        HostFixture.Run made =
                ok("access", "token-create", "ci", "--group", "viewer", "--ttl", "12h", "--json");
        assertEquals(
                "palyra_secret",
                new ObjectMapper().readTree(made.outText()).get("secret").asText());
        assertFalse(ok("access", "tokens").outText().contains("palyra_secret"));
        ok("access", "token-revoke", "01J0000000000000000000000T");
        assertEquals(
                List.of("access.token.create", "access.token.revoke"),
                fixture.access.recordedActions());
    }

    @Test
    void rotatesKeysOnRecordOnly() throws Exception {
        ok("access", "key-rotate", "tape-head");
        assertEquals(List.of("access.key.rotate"), fixture.access.recordedActions());
        assertTrue(
                fixture.access.calls().stream()
                        .anyMatch(
                                each ->
                                        "tape-head"
                                                .equals(each.request().facts().get("arguments"))));
        assertEquals(3, keys.published().size());
        assertTrue(ok("access", "keys").outText().contains("retired"));
    }

    @Test
    void tellsTheCallerWhoItIs() throws Exception {
        assertTrue(ok("access", "whoami").outText().contains("user:op"));
    }

    @Test
    void reachesRunsSessionsAndEvents() throws Exception {
        assertTrue(ok("runs", "--limit", "5").outText().contains(FakeRuns.RUN));
        assertTrue(ok("run", "show", "last").outText().contains("RUNNING"));
        assertTrue(ok("run", "cancel", "last").outText().contains("is being cancelled"));
        assertTrue(ok("sessions", "list", "--archived").outText().contains("main"));
        assertTrue(ok("sessions", "show", FakeRuns.SESSION).outText().contains("user:op"));
        assertTrue(ok("sessions", "show", "last").outText().contains(FakeRuns.SESSION));
        assertTrue(ok("sessions", "archive", FakeRuns.SESSION).outText().contains("1970"));
        ok("event", "append", FakeRuns.RUN, "{\"a\": 1}", "--kind", "fact");
        assertTrue(
                runs.calls().contains("append " + FakeRuns.RUN + "  fact {\"a\": 1}"),
                runs.calls().toString());
        assertTrue(runs.calls().contains("sessions  20 true"));
    }

    /** A queued message that fails again and again is not in the list of runs yet. */
    @Test
    void tellsOfMessagesThatAreSetAsideWhoeverMayKnowOfThem() throws Exception {
        Setback message = new Setback(Setback.Kind.MESSAGE, "m1", 3, "no agent", 1, 61_000);
        Setback gone = new Setback(Setback.Kind.MESSAGE, "m2", 2, "it is gone", 2, 0);
        Setback run = new Setback(Setback.Kind.RUN, FakeRuns.RUN, 2, "is in the list", 3, 0);
        fixture.seams
                .intake()
                .add(
                        Partial.of(
                                Intake.class,
                                new Object() {
                                    public List<Setback> setbacks() {
                                        return List.of(message, gone, run);
                                    }
                                }),
                        Map.of());
        fixture.seams
                .journal()
                .add(
                        Partial.of(
                                Journal.class,
                                new Object() {
                                    public Optional<InboxRow> inbox(String id) {
                                        return id.equals("m1")
                                                ? Optional.of(queued(id))
                                                : Optional.empty();
                                    }

                                    public List<InboxRow> inboxIn(
                                            InboxRow.State state, String after, int limit) {
                                        return List.of();
                                    }

                                    public List<RunLoss> losses(String principal) {
                                        return List.of();
                                    }
                                }),
                        Map.of());
        assertEquals(message.sentence() + "\n", ok("runs").errText());
        assertEquals("", ok("runs", "--session", FakeRuns.SESSION).errText());
        fixture.access.as(ShellAccess.VIEWER);
        assertEquals("", ok("runs").errText());
    }

    @Test
    void listOfRunsTellsOfRejectedMessagesAndLostRunsWhoeverMayKnowOfThem() throws Exception {
        InboxRow rejected =
                new InboxRow(
                        "m1",
                        "shell",
                        "",
                        "user:op",
                        new byte[0],
                        InboxRow.State.REJECTED,
                        "",
                        "it cannot be read back",
                        1);
        RunLoss loss = new RunLoss(FakeRuns.RUN, "user:op", "m2", "Run r lost its row.");
        fixture.seams
                .journal()
                .add(
                        Partial.of(
                                Journal.class,
                                new Object() {
                                    public List<InboxRow> inboxIn(
                                            InboxRow.State state, String after, int limit) {
                                        assertEquals(InboxRow.State.REJECTED, state);
                                        return List.of(rejected);
                                    }

                                    public List<RunLoss> losses(String principal) {
                                        return List.of(loss);
                                    }
                                }),
                        Map.of());
        assertEquals(
                RejectedMessages.sentence(rejected) + "\n" + loss.sentence() + "\n",
                ok("runs").errText());
        fixture.access.as(ShellAccess.VIEWER);
        assertEquals("", ok("runs").errText());
    }

    private static InboxRow queued(String id) {
        return new InboxRow(
                id, "shell", "", "user:op", new byte[0], InboxRow.State.QUEUED, "", "", 1);
    }

    @Test
    void showsTheEndOfTheLog() throws Exception {
        assertEquals(ExitCodes.NOT_FOUND, fixture.run("logs").code());
        Files.createDirectories(state.resolve("logs"));
        Files.write(
                state.resolve("logs").resolve("palyra.log"),
                IntStream.rangeClosed(1, 200_000).mapToObj(i -> "line " + i).toList());
        assertEquals("line 199999\nline 200000\n", ok("logs", "--lines", "2").outText());
        assertEquals(50, ok("logs").outText().lines().count());
        assertEquals(
                3,
                new ObjectMapper()
                        .readTree(ok("logs", "--lines", "3", "--json").outText())
                        .get("lines")
                        .size());
    }

    @Test
    void readsAndWritesTimes() {
        assertEquals(43_200_000, Words.millis("12h", "ttl"));
        assertEquals("2h 05m", Words.duration(2 * 3_600_000L + 5 * 60_000));
        assertEquals("3d 4h", Words.duration((3 * 24 + 4) * 3_600_000L));
        assertEquals("1.5 KiB", Words.bytes(1_536));
        assertEquals("", Words.time(0));
        assertEquals("a…", Words.brief("a\uD83D\uDE00b", 2));
    }
}
