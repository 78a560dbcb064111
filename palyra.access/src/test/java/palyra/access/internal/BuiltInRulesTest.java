package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;

class BuiltInRulesTest {
    private static final BuiltInRules RULES = new BuiltInRules();
    private static final Principal OPERATOR = People.person("op", "operator");
    private static final Principal APPROVER = People.person("ann", "approver");
    private static final Principal INTEGRATOR = People.person("ivy", "integrator");
    private static final Principal VIEWER = People.person("vic", "viewer");
    private static final Principal NOBODY = People.person("nob");

    private static final Set<String> BY_SCOPE = Set.of("access.speak_for", "tool.allow_sensitive");

    private static AccessDecision rule(Principal who, String action, String owner) {
        return RULES.decide(new AccessRequest(who, action, "thing:1", owner, Map.of()));
    }

    private static String allowedBy(Principal who, String action, String owner) {
        return assertInstanceOf(AccessDecision.Allow.class, rule(who, action, owner)).ruleId();
    }

    private static String deniedBy(Principal who, String action, String owner) {
        return assertInstanceOf(AccessDecision.Deny.class, rule(who, action, owner)).ruleId();
    }

    @Test
    void anOperatorMayDoEverythingKnownWhoeverOwnsIt() {
        for (String action : Actions.named()) {
            if (!BY_SCOPE.contains(action)) {
                assertEquals("builtin.operator_all", allowedBy(OPERATOR, action, "user:else"));
                assertEquals("builtin.operator_all", allowedBy(OPERATOR, action, ""));
            }
        }
        assertEquals("builtin.operator_all", allowedBy(OPERATOR, "extension.weather", ""));
    }

    @Test
    void anUnknownActionIsDeniedToEverybody() {
        for (String action : Set.of("run.delete", "runs.start", "system", "cedar.eval")) {
            for (Principal who : Set.of(OPERATOR, APPROVER, INTEGRATOR, VIEWER)) {
                assertEquals("builtin.unknown_action", deniedBy(who, action, who.id()));
            }
        }
    }

    @Test
    void anIntegratorStartsAndSteersItsOwnRunsOnly() {
        for (String action :
                Set.of(
                        "run.start",
                        "run.cancel",
                        "event.append",
                        "session.archive",
                        "session.resolve")) {
            assertEquals(
                    "builtin.integrator_own_runs", allowedBy(INTEGRATOR, action, INTEGRATOR.id()));
            assertEquals("builtin.not_own", deniedBy(INTEGRATOR, action, "user:else"));
            assertEquals("builtin.default_deny", deniedBy(VIEWER, action, VIEWER.id()));
            assertEquals("builtin.default_deny", deniedBy(APPROVER, action, APPROVER.id()));
        }
        assertEquals("builtin.integrator_own_runs", allowedBy(INTEGRATOR, "run.start", ""));
        assertEquals("builtin.integrator_own_runs", allowedBy(INTEGRATOR, "session.resolve", ""));
        assertEquals("builtin.not_own", deniedBy(INTEGRATOR, "run.cancel", ""));
    }

    @Test
    void readersReadWhatIsTheirOwn() {
        Map<Principal, String> rules =
                Map.of(
                        VIEWER, "builtin.viewer_read_own",
                        APPROVER, "builtin.approver_reads_own",
                        INTEGRATOR, "builtin.integrator_reads_own");
        Set<String> own =
                Set.of(
                        "run.read",
                        "run.list",
                        "session.read",
                        "session.list",
                        "tape.read",
                        "tape.verify",
                        "tape.export");
        rules.forEach(
                (who, rule) -> {
                    for (String action : own) {
                        assertEquals(rule, allowedBy(who, action, who.id()));
                        assertEquals("builtin.not_own", deniedBy(who, action, "user:else"));
                        assertEquals("builtin.not_own", deniedBy(who, action, ""));
                    }
                    assertEquals(rule, allowedBy(who, "agent.read", ""));
                    assertEquals(rule, allowedBy(who, "system.status", ""));
                });
    }

    @Test
    void approversDecideAndReadEverybodysApprovals() {
        for (String action :
                Set.of("approval.read", "approval.list", "approval.decide", "approval.revoke")) {
            for (String owner : Set.of("user:else", "", APPROVER.id())) {
                assertEquals("builtin.approver_decides", allowedBy(APPROVER, action, owner));
                assertEquals("builtin.operator_all", allowedBy(OPERATOR, action, owner));
            }
        }
        // Owners read their own and decide nothing.
        for (Principal who : Set.of(INTEGRATOR, VIEWER)) {
            for (String action : Set.of("approval.read", "approval.list")) {
                allowedBy(who, action, who.id());
                assertEquals("builtin.not_own", deniedBy(who, action, "user:else"));
                assertEquals("builtin.not_own", deniedBy(who, action, ""));
            }
            assertEquals("builtin.default_deny", deniedBy(who, "approval.decide", who.id()));
        }
        assertEquals("builtin.not_own", deniedBy(APPROVER, "tape.read", "user:else"));
    }

    @Test
    void whatIsGrantedToOneselfOneTakesBack() {
        assertEquals(
                "builtin.integrator_own_runs",
                allowedBy(INTEGRATOR, "approval.revoke", INTEGRATOR.id()));
        assertEquals("builtin.not_own", deniedBy(INTEGRATOR, "approval.revoke", "user:else"));
        assertEquals("builtin.default_deny", deniedBy(VIEWER, "approval.revoke", VIEWER.id()));
    }

    @Test
    void someActionsNeedTheirScopeByName() {
        String speak = "access.speak_for";
        String sensitive = "tool.allow_sensitive";
        assertEquals(
                "builtin.speaker_by_scope",
                allowedBy(People.scoped(INTEGRATOR, speak, "run.*"), speak, ""));
        assertEquals(
                "builtin.speaker_by_scope", allowedBy(People.scoped(OPERATOR, speak), speak, ""));
        assertEquals(
                "builtin.sensitive_by_scope",
                allowedBy(People.scoped(OPERATOR, sensitive), sensitive, ""));
        for (Principal who : Set.of(OPERATOR, APPROVER, INTEGRATOR, VIEWER, NOBODY)) {
            for (String action : BY_SCOPE) {
                String prefix = action.substring(0, action.indexOf('.')) + ".*";
                String other = action.equals(speak) ? sensitive : speak;
                for (Principal without :
                        Set.of(
                                who,
                                People.scoped(who, "*"),
                                People.scoped(who, prefix),
                                People.scoped(who, action + "*"),
                                People.scoped(who, other))) {
                    assertEquals("builtin.explicit_scope", deniedBy(without, action, ""));
                }
            }
        }
        // The scope alone, without the group, is not enough.
        for (Principal who : Set.of(APPROVER, VIEWER, NOBODY)) {
            assertEquals("builtin.explicit_scope", deniedBy(People.scoped(who, speak), speak, ""));
        }
        for (Principal who : Set.of(APPROVER, INTEGRATOR, VIEWER, NOBODY)) {
            assertEquals(
                    "builtin.explicit_scope",
                    deniedBy(People.scoped(who, sensitive), sensitive, ""));
        }
    }

    @Test
    void theGatewayItselfUsesKeysOfModelsThatAreNobodysOwn() {
        Principal models =
                new Principal("system:models", PrincipalKind.SYSTEM, Set.of(), Set.of(), "");
        Principal posing =
                new Principal("system:models", PrincipalKind.SERVICE, Set.of(), Set.of(), "");
        Principal other =
                new Principal("system:other", PrincipalKind.SYSTEM, Set.of(), Set.of(), "");
        assertEquals("builtin.models_use_keys", keyRule(models, "vault.get", "", "model"));
        for (String denied :
                List.of(
                        keyRule(posing, "vault.get", "", "model"),
                        keyRule(other, "vault.get", "", "model"),
                        keyRule(models, "vault.reveal", "", "model"),
                        keyRule(models, "vault.get", "user:anna", "model"),
                        keyRule(models, "vault.get", "", "palyra.http.fetch"))) {
            assertEquals("", denied);
        }
    }

    /** Returns the rule that allows it; empty when none does. */
    private static String keyRule(Principal who, String action, String owner, String purpose) {
        AccessRequest request =
                new AccessRequest(
                        who, action, "vault:global/key", owner, Map.of("purpose", purpose));
        return new BuiltInRules().decide(request) instanceof AccessDecision.Allow allow
                ? allow.ruleId()
                : "";
    }

    @Test
    void onlyOperatorsAdminister() {
        Set<String> forAll = new TreeSet<>();
        for (String action : Actions.named()) {
            for (Principal who : Set.of(APPROVER, INTEGRATOR, VIEWER)) {
                if (rule(who, action, who.id()) instanceof AccessDecision.Allow) {
                    forAll.add(action);
                }
            }
        }
        assertEquals(
                new TreeSet<>(
                        Set.of(
                                "access.account.read",
                                "access.factor.change",
                                "access.session.begin",
                                "access.session.end",
                                "access.session.list",
                                "access.session.prove",
                                "agent.read",
                                "approval.decide",
                                "approval.list",
                                "approval.read",
                                "approval.revoke",
                                "command.help",
                                "event.append",
                                "metrics.read",
                                "openai.chat",
                                "run.cancel",
                                "run.list",
                                "run.read",
                                "run.retry",
                                "run.start",
                                "session.archive",
                                "session.list",
                                "session.read",
                                "session.resolve",
                                "system.status",
                                "tape.export",
                                "tape.read",
                                "tape.verify",
                                "vault.delete",
                                "vault.get",
                                "vault.list",
                                "vault.put")),
                forAll);
        assertEquals("builtin.default_deny", deniedBy(INTEGRATOR, "extension.command", ""));
        assertEquals("builtin.default_deny", deniedBy(NOBODY, "command.help", ""));
    }

    @Test
    void theDigestIsThatOfTheWholeTable() {
        String text = BuiltInRules.text();
        assertTrue(text.startsWith("palyra.builtin-rules.v1\n"));
        for (String action : Actions.named()) {
            assertTrue(text.contains("action " + action + " "), action);
        }
        assertTrue(text.contains("tool builtin.tool_test_append palyra.test.append"));
        // A changed table is a changed policy: whoever changes it changes this line knowingly.
        assertEquals(64, RULES.sha256().length());
        assertEquals(new BuiltInRules().sha256(), RULES.sha256());
    }
}
