package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.policy.PolicyEngine;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;

class PolicyRulesTest {
    private static final String ECHO = "palyra.echo";
    private static final String READ = "palyra.fs.read_file";

    private final Gate<PolicyEngine> gate =
            new Gate<>("The policy engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final ScriptedPolicies policies = new ScriptedPolicies();
    private final PolicyRules rules = new PolicyRules(gate, 0);

    @Test
    void saysWhyNothingCanBeDecided() {
        assertEquals(Optional.of("The policy engine is absent."), rules.whyUnavailable());
        gate.add(policies, Map.of());
        policies.noSetFor = 1;
        assertTrue(rules.whyUnavailable().orElseThrow().contains("No set is in force"));
        assertEquals(Optional.empty(), rules.whyUnavailable());
    }

    private static AccessRequest request() {
        return AccessRequest.of(People.person("a", "viewer"), "run.read", "run:1");
    }

    private static ToolDescriptor tool(String name, Capability... capabilities) {
        return new ToolDescriptor(
                name, "A tool.", "{}", Set.of(capabilities), true, true, 5_000, 4_096);
    }

    private static ToolPolicyRequest question(String name, int budget, ToolDescriptor... offered) {
        ToolDescriptor descriptor = null;
        for (ToolDescriptor each : offered) {
            descriptor = each.name().equals(name) ? each : descriptor;
        }
        return new ToolPolicyRequest(
                "user:a",
                "default",
                false,
                "run",
                "session",
                "call",
                name,
                descriptor,
                "{}",
                Set.of(ECHO, READ),
                budget,
                16,
                CallContext.unknown(),
                List.of(offered));
    }

    private ToolDecider decider(ToolLimits limits) {
        return new ToolDecider(() -> rules, () -> limits, false);
    }

    private ToolPolicyDecision decide(String name, ToolDescriptor... offered) {
        return decider(ToolLimits.none()).decide(question(name, 1, offered));
    }

    private static List<String> allowedTools(ToolPolicyDecision answer) {
        List<String> names = new ArrayList<>();
        StrictJson.parse(answer.snapshotJson(), "snapshot")
                .path("allowed_tools")
                .forEach(name -> names.add(name.asText()));
        return names;
    }

    private static String set(ToolPolicyDecision answer) {
        JsonNode snapshot = StrictJson.parse(answer.snapshotJson(), "snapshot");
        return snapshot.path("policy_set_sha256").asText();
    }

    @Test
    void passesTheAnswerOfTheEngineOn() {
        gate.add(policies, Map.of());
        AccessDecision.Allow allow =
                assertInstanceOf(AccessDecision.Allow.class, rules.decide(request()));
        assertEquals("first.policy, second.policy", allow.ruleId());
        assertEquals("set1", allow.policy().orElseThrow().setSha256());
        policies.outcome = Outcome.DENY;
        AccessDecision.Deny deny =
                assertInstanceOf(AccessDecision.Deny.class, rules.decide(request()));
        assertEquals("Nobody in your groups may do that.", deny.reason());
    }

    @Test
    void anActionThatNeedsAnApprovalIsDeniedAndSaysSo() {
        gate.add(policies, Map.of());
        policies.outcome = Outcome.ALLOW_IF_APPROVED;
        AccessDecision.Deny deny =
                assertInstanceOf(AccessDecision.Deny.class, rules.decide(request()));
        assertTrue(deny.reason().contains("an approval by group:approver"), deny.reason());
    }

    @Test
    void withoutAnEngineAnActionIsNotDecided() {
        AccessDecision.NoDecision none =
                assertInstanceOf(AccessDecision.NoDecision.class, rules.decide(request()));
        assertTrue(none.reason().contains("policy engine"), none.reason());
    }

    @Test
    void aWaitForTheEngineIsNotCalledAMissingSet() {
        gate.add(policies, Map.of());
        policies.noSetFor = Integer.MAX_VALUE;
        AccessDecision.NoDecision none =
                assertInstanceOf(AccessDecision.NoDecision.class, rules.decide(request()));
        assertEquals("No set is in force.", none.reason());
        policies.noSetFor = 0;
        policies.failure =
                new PalyraException(
                        ErrorCode.POLICY_UNAVAILABLE, "Waiting for the native engine, 1500 ms.");
        none = assertInstanceOf(AccessDecision.NoDecision.class, rules.decide(request()));
        assertEquals("Waiting for the native engine, 1500 ms.", none.reason());
    }

    @Test
    void anActionWaitsForAnEngineThatComesBack() throws Exception {
        CompletableFuture<AccessDecision> asked =
                CompletableFuture.supplyAsync(() -> rules.decide(request()));
        gate.add(policies, Map.of());
        assertInstanceOf(AccessDecision.Allow.class, asked.get(60, TimeUnit.SECONDS));
    }

    @Test
    void whoComesWhileThePoliciesAreReadForTheFirstTimeIsNotRefused() throws Exception {
        PolicyRules starting = new PolicyRules(gate, 600_000);
        policies.noSetFor = Integer.MAX_VALUE;
        gate.add(policies, Map.of());
        CompletableFuture<AccessDecision> early =
                CompletableFuture.supplyAsync(() -> starting.decide(request()));
        // One that does not wait so long gives up meanwhile.
        assertInstanceOf(AccessDecision.NoDecision.class, rules.decide(request()));
        assertFalse(early.isDone());
        policies.noSetFor = 0;
        assertInstanceOf(AccessDecision.Allow.class, early.get(60, TimeUnit.SECONDS));
        policies.noSetFor = Integer.MAX_VALUE;
        assertInstanceOf(
                AccessDecision.NoDecision.class, starting.decide(request()), "the start is over");
    }

    @Test
    void anActionWaitsForAnEngineThatHasNoSetYet() {
        gate.add(policies, Map.of());
        policies.noSetFor = 3;
        assertInstanceOf(AccessDecision.Allow.class, rules.decide(request()));
        policies.noSetFor = Integer.MAX_VALUE;
        assertInstanceOf(AccessDecision.NoDecision.class, rules.decide(request()));
    }

    @Test
    void anEngineThatFailsIsNotAskedAgain() {
        gate.add(policies, Map.of());
        policies.failure = new IllegalStateException("broken");
        assertThrows(IllegalStateException.class, () -> rules.decide(request()));
        assertEquals(1, policies.asked);
    }

    @Test
    void aToolThatNeedsAnApprovalSaysSoWithItsTerms() {
        gate.add(policies, Map.of());
        policies.outcome = Outcome.ALLOW_IF_APPROVED;
        ToolPolicyDecision answer = decide(ECHO, tool(ECHO));
        assertEquals(Verdict.APPROVAL_REQUIRED, answer.verdict());
        assertEquals("policy.approval_required", answer.reasonCode());
        assertEquals("POLICY", answer.source());
        assertEquals(List.of("first.policy", "second.policy"), answer.policyIds());
        assertTrue(answer.policy().orElseThrow().approval().isPresent());
    }

    @Test
    void whatOperatorsReadStaysOutOfWhatTheModelReads() {
        gate.add(policies, Map.of());
        policies.outcome = Outcome.DENY;
        ToolPolicyDecision answer = decide(ECHO, tool(ECHO));
        assertEquals("This tool is not for this run.", answer.reason());
        assertEquals("the operator reads this", answer.policy().orElseThrow().operatorReason());
    }

    @Test
    void aToolCallIsToldThatNobodyIsThereSoThatItsRunCanWait() {
        PalyraException away = assertThrows(PalyraException.class, () -> decide(ECHO, tool(ECHO)));
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, away.code());
        gate.add(policies, Map.of());
        policies.noSetFor = Integer.MAX_VALUE;
        away = assertThrows(PalyraException.class, () -> decide(ECHO, tool(ECHO)));
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, away.code());
        policies.noSetFor = 0;
        assertEquals(Verdict.ALLOW, decide(ECHO, tool(ECHO)).verdict());
    }

    @Test
    void anEngineThatFailsDeniesTheCall() {
        gate.add(policies, Map.of());
        policies.failure = new IllegalStateException("broken");
        ToolPolicyDecision answer = decide(ECHO, tool(ECHO));
        assertEquals(Verdict.DENY, answer.verdict());
        assertEquals("policy.unavailable", answer.reasonCode());
        assertEquals(List.of(), allowedTools(answer));
    }

    @Test
    void aCallThatIsDeniedAnywayDoesNotNeedTheEngine() {
        ToolPolicyDecision answer =
                decider(ToolLimits.none()).decide(question(ECHO, 0, tool(ECHO)));
        assertEquals("tool.budget_exhausted", answer.reasonCode());
        assertEquals("BUILT_IN_RULES", answer.source());
        assertEquals("", set(answer));
    }

    @Test
    void theToolsOfARunAreThoseThatAgentConfigurationAndPoliciesAllow() {
        gate.add(policies, Map.of());
        policies.usable = Set.of(ECHO, READ, "palyra.sleep");
        ToolDescriptor[] offered = {tool(ECHO), tool(READ), tool("palyra.sleep")};
        assertEquals(List.of(ECHO, READ), allowedTools(decide(ECHO, offered)));
        policies.usable = Set.of(ECHO);
        assertEquals(List.of(ECHO), allowedTools(decide(ECHO, offered)));
        policies.usable = Set.of(ECHO, READ);
        String[] all = {"filesystem_read"};
        ToolLimits limits = ToolLimits.of(new String[] {"palyra.fs.*"}, all);
        ToolPolicyDecision refused = decider(limits).decide(question(ECHO, 1, offered));
        assertEquals("tool.not_allowlisted", refused.reasonCode());
        assertEquals(List.of("config.tools"), refused.policyIds());
        assertEquals(List.of(READ), allowedTools(refused));
    }

    @Test
    void aCapabilityThatIsOffIsOffWhateverPoliciesSay() {
        gate.add(policies, Map.of());
        ToolLimits limits = ToolLimits.of(new String[] {"*"}, new String[] {"artifacts_read"});
        ToolPolicyDecision refused =
                decider(limits).decide(question(READ, 1, tool(READ, Capability.FILESYSTEM_READ)));
        assertEquals(Verdict.DENY, refused.verdict());
        assertEquals("tool.capability_off", refused.reasonCode());
        assertTrue(refused.reason().contains("filesystem_read"), refused.reason());
        assertEquals(
                Verdict.ALLOW, decider(limits).decide(question(ECHO, 1, tool(ECHO))).verdict());
    }

    @Test
    void answerAndSnapshotAreOfOneSet() {
        gate.add(policies, Map.of());
        policies.swapsLeft = 1;
        ToolPolicyDecision answer = decide(ECHO, tool(ECHO));
        assertEquals(answer.policy().orElseThrow().setSha256(), set(answer));
        policies.swapsLeft = Integer.MAX_VALUE;
        assertEquals(Verdict.ALLOW, decide(ECHO, tool(ECHO)).verdict());
    }

    @Test
    void aSetThatIsReplacedAgainAndAgainIsWaitedFor() {
        Rules restless =
                new Rules() {
                    @Override
                    public palyra.api.access.DecisionSource source() {
                        return rules.source();
                    }

                    @Override
                    public AccessDecision decide(AccessRequest request) {
                        return rules.decide(request);
                    }

                    @Override
                    public ToolCallDecision decideTool(ToolPolicyRequest question) {
                        return rules.decideTool(question);
                    }

                    @Override
                    public Usable usableTools(ToolPolicyRequest question) {
                        Usable usable = rules.usableTools(question);
                        policies.swapsLeft = 0;
                        return new Usable(usable.tools(), "another set");
                    }
                };
        gate.add(policies, Map.of());
        ToolDecider decider = new ToolDecider(() -> restless, ToolLimits::none, false);
        PalyraException waits =
                assertThrows(
                        PalyraException.class, () -> decider.decide(question(ECHO, 1, tool(ECHO))));
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, waits.code());
    }
}
