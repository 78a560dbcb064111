package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.policy.internal.set.Snapshot;

class DeciderTest {
    private static final String ALL = "@id(\"all\") permit (principal, action, resource);\n";
    private static final String TOOLS =
            "@id(\"tools\") permit (principal, action == Action::\"tool.execute\", resource);\n";

    private PolicyDecision ask(Snapshot set, AccessRequest request) {
        return Decider.decide(set, PolicyRequest.of(request));
    }

    private PolicyDecision call(String policies) {
        return Decider.decide(
                Sets.of(policies), PolicyRequest.of(Asks.call(Asks.SHELL, "integrator")));
    }

    private PolicyDecision callApproved(String policies) {
        return Decider.decide(
                Sets.of(policies), PolicyRequest.of(Asks.approved(Asks.SHELL, "integrator")));
    }

    private static String forbid(String id, String annotations) {
        return "@id(\"%s\") %s forbid (principal, action == Action::\"tool.execute\", resource)\n"
                        .formatted(id, annotations)
                + "unless { context.approval.granted };\n";
    }

    @Test
    void aPermitAllowsAndIsNamed() {
        PolicyDecision answer =
                ask(Sets.of(ALL), Asks.ask(Asks.me(), "run.read", "run:1", "user:else"));

        assertEquals(Outcome.ALLOW, answer.outcome());
        assertEquals("policy.allow", answer.reasonCode());
        assertEquals(List.of("all"), answer.policyIds());
        assertEquals(PolicyDecision.Confirmation.NOT_NEEDED, answer.confirmation());
    }

    @Test
    void aPolicyWithoutAnIdIsNamedByFileAndNumber() {
        PolicyDecision answer =
                ask(
                        Sets.of("permit (principal, action, resource);"),
                        Asks.ask(Asks.me(), "run.read", "run:1", ""));

        assertEquals(List.of("own.cedar#1"), answer.policyIds());
    }

    @Test
    void aForbidBeatsEveryPermit() {
        PolicyDecision answer =
                ask(
                        Sets.of(
                                ALL
                                        + "@id(\"no\") @reason(\"Nobody cancels.\") forbid"
                                        + " (principal, action == Action::\"run.cancel\","
                                        + " resource);"),
                        Asks.ask(Asks.me("operator"), "run.cancel", "run:1", Asks.ME));

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("policy.denied", answer.reasonCode());
        assertEquals(List.of("no"), answer.policyIds());
        assertTrue(answer.operatorReason().contains("Nobody cancels"), answer.operatorReason());
        assertTrue(answer.operatorReason().contains("own.cedar:2"), answer.operatorReason());
    }

    @Test
    void whatNoPolicyPermitsIsDeniedWithWhatIsMissing() {
        PolicyDecision answer =
                ask(Sets.shipped(), Asks.ask(Asks.me("viewer"), "run.read", "run:1", "user:else"));

        assertEquals("policy.not_permitted", answer.reasonCode());
        assertEquals(List.of(), answer.policyIds());
        assertTrue(
                answer.missing().contains("principal in Group::\"operator\""),
                answer.missing().toString());
        assertTrue(
                answer.missing().stream().anyMatch(text -> text.contains("resource.owner")),
                answer.missing().toString());
    }

    /** The agent must not learn what it would have to look like. */
    @Test
    void theReasonNamesNoConditionAndNoPolicy() {
        PolicyDecision answer =
                Decider.decide(
                        Sets.shipped(), PolicyRequest.of(Asks.call(Asks.SHELL, "integrator")));

        for (String secret : List.of("sensitive", "approval.granted", "context", "default.cedar")) {
            assertFalse(answer.reason().contains(secret), answer.reason());
        }
        assertTrue(answer.operatorReason().contains("sensitive_tools_need_approval"));
    }

    @Test
    void anActionThatTheSchemaDoesNotKnowIsDeniedWhateverPoliciesSay() {
        for (String action : List.of("run.explode", "reading", "sensitive", "x")) {
            PolicyDecision answer =
                    ask(Sets.of(ALL), Asks.ask(Asks.me("operator"), action, "", ""));
            assertEquals(Outcome.DENY, answer.outcome(), action);
            assertEquals("policy.unknown_action", answer.reasonCode(), action);
        }
    }

    @Test
    void everyExtensionIsOneActionWithItsNameInTheContext() {
        Snapshot set =
                Sets.of(
                        "permit (principal, action == Action::\"extension.command\", resource)\n"
                                + "when { context has extension && context.extension =="
                                + " \"weather.today\" };");

        assertEquals(
                Outcome.ALLOW,
                ask(set, Asks.ask(Asks.me(), "extension.weather.today", "", "")).outcome());
        assertEquals(
                Outcome.DENY, ask(set, Asks.ask(Asks.me(), "extension.weather", "", "")).outcome());
    }

    @Test
    void aForbidThatFailsDenies() {
        // Valid for the schema; fails on numbers that are too large.
        String failing =
                "@id(\"odd\") forbid (principal, action == Action::\"tool.execute\", resource)\n"
                        + "when { context.budget.left * 9223372036854775807 > 3 };\n";

        PolicyDecision answer = call(TOOLS + failing);

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("policy.forbid_failed", answer.reasonCode());
        assertEquals(List.of("odd"), answer.policyIds());
        assertTrue(answer.operatorReason().contains("odd failed"), answer.operatorReason());
        assertEquals(Outcome.ALLOW, call(TOOLS).outcome());
    }

    @Test
    void aForbidThatFailsOnlyWithAnApprovalDenies() {
        String failing =
                "@id(\"odd\") forbid (principal, action == Action::\"tool.execute\", resource)\n"
                        + "when { context.approval.granted && context.budget.left *"
                        + " 9223372036854775807 > 3 };\n";

        PolicyDecision answer = call(TOOLS + forbid("ask", "@approval(\"?\")") + failing);

        assertEquals("policy.forbid_failed", answer.reasonCode());
    }

    @Test
    void aPermitThatFailsIsSkipped() {
        String failing =
                "@id(\"odd\") permit (principal, action == Action::\"tool.execute\", resource)\n"
                        + "when { context.budget.left * 9223372036854775807 > 3 };\n";

        assertEquals("policy.not_permitted", call(failing).reasonCode());
        assertEquals(List.of("tools"), call(failing + TOOLS).policyIds());
    }

    @Test
    void anApprovalLiftsAForbidThatSaysSo() {
        String set = TOOLS + forbid("ask", "@approval(\"May it?\")");

        PolicyDecision before = call(set);
        PolicyDecision after = callApproved(set);

        assertEquals(Outcome.ALLOW_IF_APPROVED, before.outcome());
        assertEquals("policy.approval_required", before.reasonCode());
        assertEquals(List.of("ask"), before.policyIds());
        assertEquals(
                Optional.of(
                        new ApprovalTerms(
                                Set.of("group:operator", "group:approver"),
                                false,
                                86_400_000,
                                Set.of(ApprovalScope.ONCE),
                                1)),
                before.approval());
        assertEquals(Outcome.ALLOW, after.outcome());
        assertEquals(List.of("tools"), after.policyIds());
    }

    @Test
    void anApprovalDoesNotHelpWithoutAPermit() {
        PolicyDecision answer = call(forbid("ask", "@approval(\"May it?\")"));

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("policy.denied", answer.reasonCode());
        assertTrue(
                answer.operatorReason().contains("With an approval no permit"),
                answer.operatorReason());
    }

    @Test
    void anApprovalDoesNotLiftAnotherForbid() {
        String hard =
                "@id(\"hard\") forbid (principal, action == Action::\"tool.execute\", resource);\n";

        PolicyDecision answer = call(TOOLS + hard + forbid("ask", "@approval(\"May it?\")"));

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("policy.denied", answer.reasonCode());
        assertEquals(Set.of("hard", "ask"), Set.copyOf(answer.policyIds()));
    }

    @Test
    void aForbidThatDoesNotSayItMayBeLiftedIsNot() {
        PolicyDecision answer =
                call(TOOLS + forbid("ask", "@approval(\"?\")") + forbid("mute", "@ttl(\"1h\")"));

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals(List.of("mute"), answer.policyIds());
    }

    @Test
    void questionsAboutActionsWaitForNoApproval() {
        PolicyDecision answer =
                ask(
                        Sets.of(
                                ALL
                                        + "@approval(\"?\") forbid (principal, action =="
                                        + " Action::\"run.cancel\", resource);"),
                        Asks.ask(Asks.me(), "run.cancel", "", ""));

        assertEquals(Outcome.DENY, answer.outcome());
    }

    @Test
    void ofSeveralApprovalsTheStrictestPartsHold() {
        String set =
                TOOLS
                        + forbid(
                                "one",
                                "@approval(\"1\") @approvers(\"group:approver,user:ann,user:bob\")"
                                        + " @ttl(\"1h30m\") @scopes(\"once,session,timeboxed\")"
                                        + " @quorum(\"2\")")
                        + forbid(
                                "two",
                                "@approval(\"2\") @approvers(\"user:bob, group:approver\")"
                                        + " @others(\"true\") @ttl(\"90s\")"
                                        + " @scopes(\"timeboxed,session\")");

        assertEquals(
                new ApprovalTerms(
                        Set.of("group:approver", "user:bob"),
                        true,
                        90_000,
                        Set.of(ApprovalScope.SESSION, ApprovalScope.TIMEBOXED),
                        2),
                call(set).approval().orElseThrow());
    }

    @Test
    void scopesWithNothingInCommonMeanOnce() {
        String set =
                TOOLS
                        + forbid("one", "@approval(\"1\") @scopes(\"session\")")
                        + forbid("two", "@approval(\"2\") @scopes(\"timeboxed\")");

        assertEquals(Set.of(ApprovalScope.ONCE), call(set).approval().orElseThrow().scopes());
    }

    @Test
    void approversWithNobodyInCommonDeny() {
        String set =
                TOOLS
                        + forbid("one", "@approval(\"1\") @approvers(\"user:ann\")")
                        + forbid("two", "@approval(\"2\") @approvers(\"user:bob\")");

        PolicyDecision answer = call(set);

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("approval.nobody", answer.reasonCode());
        assertEquals(Set.of("one", "two"), Set.copyOf(answer.policyIds()));
    }

    @Test
    void theStrictestConfinementOfAllSatisfiedPermitsHolds() {
        String permit = " permit (principal, action == Action::\"tool.execute\", resource);\n";

        assertEquals(Confinement.STRICTEST, call(permit).confinement());
        assertEquals(
                new Confinement(Tier.A, Egress.NONE),
                call("@tier(\"a\") @egress(\"none\")" + permit).confinement());
        assertEquals(
                new Confinement(Tier.B, Egress.PREFLIGHT),
                call("@tier(\"a\") @egress(\"preflight\")"
                                + permit
                                + "@tier(\"b\") @egress(\"none\")"
                                + permit)
                        .confinement());
        // Who says nothing leaves it to the others, each part for itself.
        assertEquals(
                new Confinement(Tier.B, Egress.STRICT),
                call("@tier(\"b\")" + permit + permit).confinement());
    }

    @Test
    void aPermitThatIsNotSatisfiedConfinesNothing() {
        String other =
                "@tier(\"c\") permit (principal, action == Action::\"tool.execute\", resource)\n"
                        + "when { resource.readOnly == false };\n";

        assertEquals(
                Tier.A,
                call("@tier(\"a\") permit (principal, action =="
                                + " Action::\"tool.execute\", resource);\n"
                                + other)
                        .confinement()
                        .tier());
    }

    /** Annotations are checked when a set is loaded; should one slip through, it denies. */
    @Test
    void anAnnotationThatCannotBeReadDenies() {
        assertEquals(
                "policy.failed",
                call(TOOLS + forbid("ask", "@approval(\"?\") @ttl(\"soon\")")).reasonCode());
        assertEquals("policy.failed", call("@tier(\"d\") " + TOOLS).reasonCode());
    }

    @Test
    void answersSayByWhichSet() {
        Snapshot set = Sets.shipped();

        PolicyDecision answer = ask(set, Asks.ask(Asks.me(), "run.read", "", ""));

        assertEquals(set.view().sha256(), answer.setSha256());
        assertEquals(set.view().epoch(), answer.epoch());
    }

    @Test
    void factsOfTheRequestReachThePolicies() {
        Snapshot set =
                Sets.of(
                        "permit (principal, action == Action::\"approval.decide\", resource)\n"
                                + "when { context has granted && !context.granted && context has"
                                + " scope && context.scope == \"once\" && resource.id == \"7\" };");
        AccessRequest refusal =
                new AccessRequest(
                        Asks.me(),
                        "approval.decide",
                        "approval:7",
                        "",
                        Map.of("granted", "false", "scope", "once"));
        AccessRequest grant =
                new AccessRequest(
                        Asks.me(),
                        "approval.decide",
                        "approval:7",
                        "",
                        Map.of("granted", "true", "scope", "once"));

        assertEquals(Outcome.ALLOW, ask(set, refusal).outcome());
        assertEquals(Outcome.DENY, ask(set, grant).outcome());
    }

    private PolicyDecision interpreter(boolean approved, String policies) {
        return program("!interpreter", approved, policies);
    }

    private PolicyDecision program(String mark, boolean approved, String policies) {
        CallFacts facts =
                new CallFacts(
                        "/bin/sh",
                        "",
                        Set.of("-c", mark),
                        2,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of());
        return Decider.decide(
                Sets.of(policies),
                PolicyRequest.of(
                        Asks.call(Asks.SHELL, Asks.situation(facts, approved, "integrator"))));
    }

    private static String tools(String said) {
        return "@id(\"t%s\") %s permit (principal, action == Action::\"tool.execute\", resource);\n"
                .formatted(
                        Math.abs(said.hashCode()),
                        said.isEmpty() ? "" : "@allow_interpreters(\"" + said + "\")");
    }

    @Test
    void anInterpreterNeedsAPermitThatAllowsInterpreters() {
        assertEquals(Outcome.ALLOW, call(TOOLS).outcome());
        PolicyDecision denied = interpreter(false, TOOLS);
        assertEquals(Outcome.DENY, denied.outcome());
        assertEquals("policy.interpreter", denied.reasonCode());
        assertTrue(denied.operatorReason().contains("@allow_interpreters"));
        assertTrue(denied.reason().matches(".*palyra agents update [^ ]+ --profile coding\\."));
        assertEquals(Outcome.ALLOW, interpreter(false, tools("true")).outcome());
        assertEquals(Outcome.ALLOW, interpreter(false, TOOLS + tools("true")).outcome());
        assertEquals(Outcome.DENY, interpreter(false, tools("false")).outcome());
        assertEquals(Outcome.DENY, interpreter(false, tools("true") + tools("false")).outcome());
        assertEquals("policy.failed", interpreter(false, tools("yes")).reasonCode());
    }

    @Test
    void anApprovalAllowsNoInterpreterThatPermitsDoNot() {
        String forbid = forbid("ask", "@approval(\"May it?\")");
        assertEquals("policy.interpreter", interpreter(false, TOOLS + forbid).reasonCode());
        assertEquals("policy.interpreter", interpreter(true, TOOLS + forbid).reasonCode());
        assertEquals(
                Outcome.ALLOW_IF_APPROVED, interpreter(false, tools("true") + forbid).outcome());
        assertEquals(Outcome.ALLOW, interpreter(true, tools("true") + forbid).outcome());
    }

    @Test
    void aProgramThatIsNotKnownNeedsAPersonOrAPermitThatAllowsInterpreters() {
        PolicyDecision asked = program("!unknown", false, TOOLS);
        assertEquals(Outcome.ALLOW_IF_APPROVED, asked.outcome());
        assertEquals(Set.of(ApprovalScope.ONCE), asked.approval().orElseThrow().scopes());
        assertTrue(asked.operatorReason().contains("@allow_interpreters"), asked.operatorReason());
        assertEquals(Outcome.ALLOW, program("!unknown", true, TOOLS).outcome());
        assertEquals(Outcome.ALLOW, program("!unknown", false, tools("true")).outcome());
        assertEquals(
                Outcome.ALLOW_IF_APPROVED,
                program("!unknown", false, tools("true") + tools("false")).outcome());
        String never = "@id(\"no\") forbid (principal, action, resource);";
        assertEquals(Outcome.DENY, program("!unknown", true, TOOLS + never).outcome());
        assertEquals(Outcome.ALLOW, program("!script", false, TOOLS).outcome());
    }
}
