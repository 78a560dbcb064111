package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;

/** What the annotations of forbids say about reminders and about whom to ask last. */
class ApprovalAnnotationsTest {
    private static final String FORBID =
            " forbid (principal, action == Action::\"tool.execute\", resource)\n"
                    + "unless { context.approval.granted };\n";

    private static ApprovalTerms terms(String... annotations) {
        StringBuilder policies = new StringBuilder();
        for (String one : annotations) {
            policies.append("@approval(\"?\") ").append(one).append(FORBID);
        }
        return ApprovalAnnotations.of(Sets.of(policies.toString()).policies().policies())
                .orElseThrow();
    }

    @Test
    void withoutAWordAQuarterOfTheTimeIsLeftAndNobodyElseIsAsked() {
        ApprovalTerms terms = terms("@ttl(\"40m\")");
        assertEquals(0, terms.remindMillis());
        assertEquals(600_000, terms.reminderMillis());
        assertEquals(Set.of(), terms.escalateTo());
    }

    @Test
    void reminderAndEscalationAreWhatIsSaid() {
        ApprovalTerms terms =
                terms("@remind(\"1h30m\") @escalate(\"group:lead, user:zoe\") @ttl(\"2h\")");
        assertEquals(5_400_000, terms.reminderMillis());
        assertEquals(Set.of("group:lead", "user:zoe"), terms.escalateTo());
        assertEquals(Set.of("group:operator", "group:approver"), terms.approvers());
    }

    @Test
    void reminderIsNeverEarlierThanTheQuestion() {
        assertEquals(60_000, terms("@remind(\"2h\") @ttl(\"1m\")").reminderMillis());
    }

    @Test
    void earliestReminderAndTheSharedLastApproversHold() {
        ApprovalTerms terms =
                terms(
                        "@remind(\"5m\") @escalate(\"group:lead,user:zoe\")",
                        "@remind(\"20m\") @escalate(\"user:zoe,user:ann\") @scopes(\"session\")");
        assertEquals(1_200_000, terms.reminderMillis());
        assertEquals(Set.of("user:zoe"), terms.escalateTo());
        assertEquals(Set.of(ApprovalScope.ONCE), terms.scopes());
    }

    @Test
    void nobodyIsAskedLastWhereOneForbidNamesNobody() {
        assertEquals(Set.of(), terms("@escalate(\"user:zoe\")", "@others").escalateTo());
        assertTrue(terms("@escalate(\"user:zoe\")", "@others").others());
    }

    @ParameterizedTest
    @ValueSource(strings = {"remind=", "remind=0s", "remind=soon", "escalate=", "escalate=zoe"})
    void whatCannotBeReadIsRefusedWithASentence(String given) {
        String[] parts = given.split("=", 2);
        String message =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ApprovalAnnotations.check(parts[0], parts[1]))
                        .getMessage();
        assertTrue(message.contains("@" + parts[0] + "(\""), message);
        assertTrue(message.contains("cannot be read"), message);
    }
}
