package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.tool.FactsDigest;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingConfinedTool;

/** What a call would do is found out, decided on, recorded, and held against it at the start. */
class ConfinedCallTest {
    private static final String TOOL = "test.confined";
    private static final Confinement LOOSER =
            new Confinement(Confinement.Tier.B, Confinement.Egress.PREFLIGHT);
    private static final CallFacts FACTS =
            new CallFacts(
                    "/usr/bin/git",
                    "a".repeat(64),
                    "/work",
                    "status",
                    Set.of("--short"),
                    2,
                    Set.of("example.org"),
                    Set.of(443),
                    Set.of(),
                    Set.of("/work/a"),
                    Set.of(),
                    Set.of());

    @TempDir Path state;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingConfinedTool tool =
            new RecordingConfinedTool(TOOL).finding(ToolExamination.facts(FACTS));
    private final FakeAccess access =
            FakeAccess.forTools().answering(ConfinedCallTest::allowLooser);
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway =
                new LightGateway(around, model, "boot/1", UnaryOperator.identity(), access)
                        .awaitReady();
        gateway.offering(TOOL);
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private static ToolPolicyDecision allowLooser(ToolPolicyRequest question) {
        return new ToolPolicyDecision(
                Verdict.ALLOW,
                "policy.allow",
                "Fine.",
                "POLICY",
                List.of("all"),
                "{}",
                Optional.of(
                        new PolicyDecision(
                                PolicyDecision.Outcome.ALLOW,
                                "policy.allow",
                                "Fine.",
                                "",
                                List.of("all"),
                                List.of(),
                                Optional.empty(),
                                LOOSER,
                                PolicyDecision.Confirmation.NOT_NEEDED,
                                "5e7",
                                1,
                                "{}")));
    }

    private String ran() {
        model.propose(TOOL, "{\"command\":\"git\"}").answer("done");
        return gateway.ended(gateway.submit("go").runId()).runId();
    }

    private TapeEvent.ToolDecision decision(String runId) {
        return gateway.records(runId, TapeEvent.ToolDecision.class).get(0);
    }

    @Test
    void policyIsAskedAboutWhatTheCallWouldDo() {
        ran();
        assertEquals(FACTS, access.toolRequests().get(0).situation().facts());
        assertEquals("{\"command\":\"git\"}", tool.proposed().get(0).inputJson());
    }

    @Test
    void theFactsAndTheConfinementAreOnTheTapeAndInTheOrder() {
        TapeEvent.ToolDecision decision = decision(ran());
        ToolOrder order = tool.orders().get(0);
        assertEquals(FactsDigest.of(FACTS), decision.factsSha256());
        assertEquals(FactsDigest.of(FACTS), order.factsSha256());
        assertEquals(LOOSER, order.confinement());
        assertEquals(order.agentId(), tool.proposed().get(0).agentId());
    }

    @Test
    void aDecisionWithoutPoliciesConfinesAsStrictlyAsCanBe() {
        access.answering(
                question ->
                        new ToolPolicyDecision(
                                Verdict.ALLOW, "tool.allowed", "Yes.", "ENGINE", List.of(), "{}"));
        ran();
        assertEquals(Confinement.STRICTEST, tool.orders().get(0).confinement());
    }

    @Test
    void whatAGuardRefusesNobodyIsAskedAbout() {
        tool.finding(ToolExamination.refused("sandbox.path_outside", "../x leads outside."));
        String runId = ran();
        assertEquals(Verdict.DENY, decision(runId).verdict());
        assertEquals("sandbox.path_outside", decision(runId).reasonCode());
        assertEquals(
                Outcome.DENIED,
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0).outcome());
        assertTrue(access.toolRequests().isEmpty());
        assertTrue(tool.orders().isEmpty());
    }

    @Test
    void aRefusalNamesNoToolThatTheAgentDoesNotHave() {
        around.add(new RecordingConfinedTool("test.other"), Map.of("service.id", 9L));
        tool.finding(ToolExamination.refused("sandbox.x", "No. Use test.other. Or test.confined."));
        String runId = ran();
        assertEquals(
                "No. Or test.confined.",
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0).error());
    }

    /**
     * That the agent has no such tool helps a model more than what a guard would say of the call.
     */
    @Test
    void noGuardIsAskedAboutAToolThatTheAgentDoesNotHave() {
        gateway.offering("test.other");
        tool.finding(ToolExamination.refused("sandbox.path_outside", "../x leads outside."));
        access.answering(
                question ->
                        new ToolPolicyDecision(
                                Verdict.DENY,
                                question.agentTools().contains(TOOL) ? "other" : "not_listed",
                                "It is not on the list.",
                                "BUILTIN",
                                List.of(),
                                "{}"));
        assertEquals("not_listed", decision(ran()).reasonCode());
        assertTrue(tool.proposed().isEmpty());
    }

    @Test
    void anExaminationThatFailsDenies() {
        tool.finding(null);
        String runId = ran();
        assertEquals("tool.not_examined", decision(runId).reasonCode());
        assertTrue(tool.orders().isEmpty());
    }

    @Test
    void theOrderOfACallWithoutFactsSaysSo() {
        tool.finding(ToolExamination.facts(CallFacts.none()));
        TapeEvent.ToolDecision decision = decision(ran());
        assertEquals("", decision.factsSha256());
        assertEquals(FactsDigest.of(CallFacts.none()), tool.orders().get(0).factsSha256());
        assertNotEquals(FactsDigest.of(FACTS), tool.orders().get(0).factsSha256());
    }

    @Test
    void whatWasEnforcedIsAttested() {
        TapeEvent.ToolAttestation attestation =
                gateway.records(ran(), TapeEvent.ToolAttestation.class).get(0);
        assertEquals("sandbox_test", attestation.executor());
        assertEquals("strict tier=test", attestation.sandboxEnforcement());
        assertEquals("e".repeat(64), attestation.executableSha256());
    }
}
