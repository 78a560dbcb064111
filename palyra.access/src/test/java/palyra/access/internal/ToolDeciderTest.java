package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

class ToolDeciderTest {
    private static final int MAX_CALLS = 12; // as the run engine of the question is configured
    private static final ToolDecider DECIDER = decider(new BuiltInRules(), false);

    private static ToolDecider decider(Rules rules, boolean safeMode) {
        return new ToolDecider(() -> rules, ToolLimits::none, safeMode);
    }

    private static ToolDescriptor tool(String name, Capability... capabilities) {
        return new ToolDescriptor(
                name, "A tool.", "{}", Set.of(capabilities), true, true, 5_000, 4_096);
    }

    private static ToolPolicyRequest question(
            String name, ToolDescriptor descriptor, boolean test, int budget, String... listed) {
        return new ToolPolicyRequest(
                "user:a",
                "default",
                test,
                "run",
                "session",
                "call",
                name,
                descriptor,
                "{}",
                Set.of(listed),
                budget,
                MAX_CALLS);
    }

    private static void assertDenied(String code, ToolPolicyDecision answer) {
        assertEquals(Verdict.DENY, answer.verdict(), answer.reason());
        assertEquals(code, answer.reasonCode());
        assertTrue(answer.reason().endsWith("."), answer.reason());
    }

    @Test
    void allowsTheHarmlessBuiltInTools() {
        for (String name : List.of("palyra.echo", "palyra.sleep")) {
            ToolPolicyDecision answer = DECIDER.decide(question(name, tool(name), false, 1, name));
            assertEquals(Verdict.ALLOW, answer.verdict());
            assertEquals("tool.allowed", answer.reasonCode());
            assertEquals("BUILT_IN_RULES", answer.source());
        }
    }

    @Test
    void asksBudgetThenListThenToolThenCapabilityThenRule() {
        String name = "palyra.fs.read_file";
        ToolDescriptor sensitive = tool(name, Capability.FILESYSTEM_READ);
        assertDenied("tool.budget_exhausted", DECIDER.decide(question(name, null, false, 0)));
        assertDenied("tool.not_allowlisted", DECIDER.decide(question(name, null, false, 1)));
        assertDenied("tool.unknown", DECIDER.decide(question(name, null, false, 1, name)));
        assertDenied("tool.sensitive", DECIDER.decide(question(name, sensitive, false, 1, name)));
        assertDenied(
                "policy.unavailable", DECIDER.decide(question(name, tool(name), false, 1, name)));
    }

    @Test
    void aToolThatTheAgentHasNotIsAnsweredWithTheNearestOne() {
        ToolPolicyDecision answer =
                DECIDER.decide(question("bash", null, false, 1, "palyra.process.shell"));
        assertEquals(
                "bash is not on this agent's list of tools (did you mean palyra.process.shell?);"
                        + " use one that was offered.",
                answer.reason());
    }

    @Test
    void aHarmlessNameDoesNotHideCapabilities() {
        String name = "palyra.echo";
        ToolDescriptor posing = tool(name, Capability.PROCESS_EXEC, Capability.NETWORK);
        assertDenied("tool.sensitive", DECIDER.decide(question(name, posing, false, 1, name)));
        ToolDescriptor other = tool("palyra.process.run");
        assertDenied("tool.unknown", DECIDER.decide(question(name, other, false, 1, name)));
    }

    @Test
    void theTestToolIsForTestAgentsAndWritesAtMost() {
        String name = "palyra.test.append";
        ToolDescriptor writes = tool(name, Capability.FILESYSTEM_WRITE);
        assertEquals(
                Verdict.ALLOW, DECIDER.decide(question(name, writes, true, 1, name)).verdict());
        assertEquals(
                Verdict.ALLOW, DECIDER.decide(question(name, tool(name), true, 1, name)).verdict());
        assertDenied(
                "tool.test_agents_only", DECIDER.decide(question(name, writes, false, 1, name)));
        ToolDescriptor more = tool(name, Capability.FILESYSTEM_WRITE, Capability.NETWORK);
        assertDenied("tool.sensitive", DECIDER.decide(question(name, more, true, 1, name)));
    }

    @Test
    void safeModeDeniesEveryTool() {
        ToolDecider safe = decider(new BuiltInRules(), true);
        ToolPolicyDecision answer =
                safe.decide(question("palyra.echo", tool("palyra.echo"), true, 9, "palyra.echo"));
        assertDenied("tool.safe_mode", answer);
        JsonNode snapshot = StrictJson.parse(answer.snapshotJson(), "snapshot");
        assertTrue(snapshot.path("allowed_tools").isEmpty());
        assertTrue(snapshot.path("safe_mode").asBoolean());
    }

    @Test
    void statesTheConfigurationInForceAsCanonicalJson() {
        ToolPolicyDecision answer =
                DECIDER.decide(
                        question(
                                "palyra.echo",
                                tool("palyra.echo"),
                                false,
                                3,
                                "palyra.sleep",
                                "palyra.echo",
                                "palyra.http.fetch"));
        JsonNode snapshot = StrictJson.parse(answer.snapshotJson(), "snapshot");
        assertEquals(Jcs.text(snapshot), answer.snapshotJson());
        assertEquals(
                "[\"palyra.echo\",\"palyra.sleep\"]", snapshot.path("allowed_tools").toString());
        assertEquals(MAX_CALLS, snapshot.path("max_calls_per_run").asInt());
        assertEquals(5_000, snapshot.path("execution_timeout_ms").asInt());
        assertEquals(new BuiltInRules().sha256(), snapshot.path("policy_set_sha256").asText());
        assertEquals(
                Set.of(
                        "enabled",
                        "tier",
                        "workspace_root",
                        "allowed_executables",
                        "allow_interpreters",
                        "egress_enforcement_mode",
                        "allowed_egress_hosts",
                        "allowed_dns_suffixes",
                        "cpu_time_limit_ms",
                        "memory_limit_bytes",
                        "max_output_bytes"),
                names(snapshot.path("process_runner")));
        assertEquals(
                Set.of(
                        "enabled",
                        "allow_inline_modules",
                        "max_module_size_bytes",
                        "fuel_budget",
                        "max_memory_bytes",
                        "max_table_elements",
                        "max_instances",
                        "allowed_http_hosts",
                        "allowed_secrets",
                        "allowed_storage_prefixes",
                        "allowed_channels"),
                names(snapshot.path("wasm_runtime")));
        assertEquals(false, snapshot.path("process_runner").path("enabled").asBoolean(true));
        assertEquals(false, snapshot.path("wasm_runtime").path("enabled").asBoolean(true));
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void deniesWhenTheRulesAreDeadOrSilent() {
        ToolPolicyRequest harmless =
                question("palyra.echo", tool("palyra.echo"), false, 1, "palyra.echo");
        KillableRules rules = new KillableRules();
        ToolDecider decider = decider(rules, false);
        assertEquals(Verdict.ALLOW, decider.decide(harmless).verdict());
        for (KillableRules.Death death : KillableRules.Death.values()) {
            rules.kill(death);
            ToolPolicyDecision answer = decider.decide(harmless);
            assertDenied("policy.unavailable", answer);
            assertNotEquals("", answer.snapshotJson());
        }
        rules.revive();
        assertEquals(Verdict.ALLOW, decider.decide(harmless).verdict());
    }

    @Test
    void noRulesOfItsOwnHoldWithoutTheEngine() {
        SortedSet<String> none = new TreeSet<>();
        Rules deniesAll =
                new Rules() {
                    @Override
                    public DecisionSource source() {
                        return DecisionSource.POLICY;
                    }

                    @Override
                    public AccessDecision decide(AccessRequest request) {
                        return new AccessDecision.Deny("p1", "no");
                    }

                    @Override
                    public ToolCallDecision decideTool(ToolPolicyRequest question) {
                        return new ToolCallDecision(
                                Verdict.DENY,
                                DecisionSource.POLICY,
                                List.of("p1"),
                                "policy.denied",
                                "No.",
                                Optional.empty());
                    }

                    @Override
                    public Usable usableTools(ToolPolicyRequest question) {
                        return new Usable(none, "00");
                    }
                };
        ToolPolicyDecision answer =
                decider(deniesAll, false)
                        .decide(
                                question(
                                        "palyra.echo",
                                        tool("palyra.echo"),
                                        false,
                                        1,
                                        "palyra.echo"));
        assertDenied("policy.denied", answer);
        assertEquals("POLICY", answer.source());
        assertEquals(List.of("p1"), answer.policyIds());
    }
}
