package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;

/** Decisions about actions as policies give them, and what the journal keeps. */
class PolicyDecisionsTest {
    @TempDir Path state;
    private final Gate<PolicyEngine> gate =
            new Gate<>("The policy engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final ScriptedPolicies policies = new ScriptedPolicies();
    private Stage stage;
    private Principal person;

    @BeforeEach
    void open() {
        gate.add(policies, Map.of());
        stage = Stage.open(state, new PolicyRules(gate, 0));
        person = People.person("a", "integrator");
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private List<JsonNode> recorded(String type) {
        return stage.events(type).stream()
                .map(text -> StrictJson.parse(text, "event"))
                .collect(Collectors.toList());
    }

    private JsonNode only(String type) {
        List<JsonNode> events = recorded(type);
        assertEquals(1, events.size());
        return events.get(0);
    }

    private ErrorCode refused(Principal who, String action) {
        return assertThrows(
                        PalyraException.class,
                        () -> stage.access.authorizeAndRecord(AccessRequest.of(who, action, "")))
                .code();
    }

    @Test
    void anAllowIsRecordedWithTheSetAndTheEvidence() {
        var authorized = stage.access.authorize(AccessRequest.of(person, "run.start", ""));
        assertEquals(DecisionSource.POLICY, authorized.permit().source());
        stage.journal().commit(Unit.of(authorized.record()));
        JsonNode event = only(DecisionRecord.ACCESS_DECISION);
        assertEquals("allow", event.path("decision").asText());
        assertEquals("POLICY", event.path("source").asText());
        assertEquals("set1", event.path("policySet").asText());
        assertEquals(1, event.path("epoch").asInt());
        assertEquals("policy.allow", event.path("reasonCode").asText());
        assertEquals("[\"first.policy\",\"second.policy\"]", event.path("policyIds").toString());
        assertEquals(ScriptedPolicies.EVIDENCE, event.path("evidence").toString());
        assertEquals("the operator reads this", event.path("operatorReason").asText());
        assertFalse(event.has("missing"), "nothing is missing from an allow");
    }

    @Test
    void aDenialIsRecordedWithWhatIsMissingAndDoesNotTellIt() {
        policies.outcome = Outcome.DENY;
        PalyraException denied =
                assertThrows(
                        PalyraException.class,
                        () -> stage.access.authorizeRead(AccessRequest.of(person, "run.read", "")));
        assertEquals(ErrorCode.DENIED, denied.code());
        assertTrue(
                denied.getMessage().contains("because nobody in your groups may do that ("),
                denied.getMessage());
        assertFalse(denied.getMessage().contains("context."), denied.getMessage());
        assertFalse(denied.getMessage().contains("operator reads"), denied.getMessage());
        JsonNode event = only(DecisionRecord.ACCESS_DECISION);
        assertEquals("deny", event.path("decision").asText());
        assertEquals("[\"context.approval.granted\"]", event.path("missing").toString());
        assertEquals(ScriptedPolicies.EVIDENCE, event.path("evidence").toString());
    }

    @Test
    void anActionThatAsksForAnApprovalIsDenied() {
        policies.outcome = Outcome.ALLOW_IF_APPROVED;
        assertEquals(ErrorCode.DENIED, refused(person, "run.start"));
        assertTrue(
                only(DecisionRecord.ACCESS_DECISION).path("reason").asText().contains("approval"));
    }

    @Test
    void evidenceThatACallerSwelledIsLeftOut() {
        policies.evidence = "{\"v\":\"" + "x".repeat(1_000_000) + "\"}";
        stage.access.authorizeAndRecord(AccessRequest.of(person, "run.start", ""));
        JsonNode event = only(DecisionRecord.ACCESS_DECISION);
        assertFalse(event.has("evidence"));
        assertEquals(policies.evidence.length(), event.path("evidenceOmittedChars").asInt());
        assertTrue(event.toString().length() < 4_000);
    }

    @Test
    void aCredentialsScopesComeFirst() {
        Principal scoped = People.scoped(person, "run.*");
        assertEquals(ErrorCode.DENIED, refused(scoped, "agent.create"));
        assertEquals(0, policies.asked);
        JsonNode event = only(DecisionRecord.ACCESS_DECISION);
        assertEquals("BUILT_IN_RULES", event.path("source").asText());
        assertFalse(event.has("policySet"));
    }

    @Test
    void whenTheGuardIsKilledNobodyGetsInAndTheOwnerCanRepair() {
        gate.remove(policies);
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(person, "run.start"));
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(stage.owner(), "bundle.stop"));
        for (JsonNode event : recorded(DecisionRecord.ACCESS_DECISION)) {
            assertEquals("no_decision", event.path("decision").asText());
        }
        Permit permit =
                stage.access.authorizeAndRecord(
                        AccessRequest.of(stage.owner(), "bundle.start", "palyra.policy"));
        assertEquals(DecisionSource.BREAK_GLASS, permit.source());
        assertEquals(permit.permitId(), only(DecisionRecord.BREAK_GLASS).path("permitId").asText());
        gate.add(policies, Map.of());
        stage.access.authorizeAndRecord(AccessRequest.of(person, "run.start", ""));
    }

    @Test
    void aDenialNeverReachesTheEmergencyList() {
        policies.outcome = Outcome.DENY;
        assertEquals(ErrorCode.DENIED, refused(stage.owner(), "bundle.start"));
        assertEquals(List.of(), recorded(DecisionRecord.BREAK_GLASS));
    }

    @Test
    void theFixedRulesDecideWhereTheConfigurationSaysSo() {
        policies.outcome = Outcome.DENY;
        assertEquals(ErrorCode.DENIED, refused(stage.owner(), "agent.create"));
        AccessSettings defaults = AccessSettings.defaults();
        stage.access.settings(
                new AccessSettings(
                        defaults.localPeers(),
                        defaults.findings(),
                        defaults.certificates(),
                        defaults.denialsPerSecond(),
                        true,
                        defaults.tools()));
        Permit permit =
                stage.access.authorizeAndRecord(
                        AccessRequest.of(stage.owner(), "agent.create", ""));
        assertEquals(DecisionSource.BUILT_IN_RULES, permit.source());
        Finding finding = stage.access.findings().get(0);
        assertEquals(Finding.Severity.WARNING, finding.severity());
        stage.access.settings(defaults);
        assertEquals(ErrorCode.DENIED, refused(stage.owner(), "agent.create"));
        assertEquals(List.of(), stage.access.findings());
    }

    @Test
    void onlyTheWordItselfTurnsPoliciesOff() {
        for (String word : List.of("", "policy", "Builtin", "none", "off", "built-in")) {
            assertFalse(configured(word).builtInRules(), word);
        }
        assertTrue(configured("builtin").builtInRules());
    }

    /** A configuration of this engine and the defaults, as declarative services makes it. */
    private static AccessSettings configured(String engine) {
        return AccessSettings.of(
                AccessConfig.class.cast(
                        Proxy.newProxyInstance(
                                AccessConfig.class.getClassLoader(),
                                new Class<?>[] {AccessConfig.class},
                                (proxy, method, arguments) ->
                                        method.getName().equals("engine")
                                                ? engine
                                                : method.getDefaultValue())));
    }
}
