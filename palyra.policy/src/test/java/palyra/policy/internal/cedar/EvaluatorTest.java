package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

final class EvaluatorTest {

    @Test
    void allowsByAPermitAndNamesIt() {
        Decision decision =
                Policies.decide("permit(principal, action, resource);", Policies.request(Map.of()));
        assertTrue(decision.allowed());
        assertEquals("[policy0]", decision.determining().toString());
        assertEquals(List.of(), decision.overridden());
    }

    @Test
    void deniesWithoutAnyPolicy() {
        Decision decision = Policies.decide("", Policies.request(Map.of()));
        assertFalse(decision.allowed());
        assertEquals(List.of(), decision.determining());
    }

    @Test
    void aForbidOverridesAndThePermitIsListed() {
        String policies =
                "permit(principal, action, resource); forbid(principal, action, resource);";
        Decision decision = Policies.decide(policies, Policies.request(Map.of()));
        assertFalse(decision.allowed());
        assertEquals("[policy1]", decision.determining().toString());
        assertEquals("[policy0]", decision.overridden().toString());
    }

    @Test
    void saysWhenAForbidWasSkipped() {
        String policies =
                "permit(principal, action, resource);"
                        + " forbid(principal, action, resource) when { context.x };";
        Decision decision = Policies.decide(policies, Policies.request(Map.of()));
        assertTrue(decision.allowed());
        assertTrue(decision.forbidErred());
        assertEquals("record does not have the attribute `x`", decision.errors().get(0).message());
        assertFalse(Policies.decide(policies, Policies.request(Map.of("x", false))).forbidErred());
    }

    @Test
    void keepsAnnotations() {
        PolicySet set =
                Policies.compile(
                        "@id(\"first\") @reason(\"why\") permit(principal, action, resource);");
        assertEquals(
                Map.of("id", "first", "reason", "why"), set.policy("policy0").get().annotations());
        assertTrue(set.policy("policy1").isEmpty());
    }

    @Test
    void explainsEachPolicy() {
        String policies =
                """
                permit(principal == User::"bob", action, resource == Doc::"d2");
                permit(principal, action, resource)
                when { context.mfa && context.n == 1 && context.n < 9 }
                unless { context.hours || context.n > 3 };
                permit(principal, action, resource) when { context.nothing };
                forbid(principal, action, resource) unless { context.approval.granted };
                permit(principal, action, resource);
                """;
        Map<String, Object> context =
                Map.of("mfa", true, "n", 5, "hours", false, "approval", Map.of("granted", false));
        Explanation explanation =
                new Evaluator(Policies.compile(policies)).explain(Policies.request(context));
        assertFalse(explanation.decision().allowed());
        assertEntry(explanation, 0, Explanation.Outcome.SCOPE_MISS, "principal", "resource");
        assertEntry(
                explanation,
                1,
                Explanation.Outcome.CONDITION_FALSE,
                "context.n == 1",
                "!(context.n > 3)");
        assertEntry(
                explanation,
                2,
                Explanation.Outcome.ERROR,
                "record does not have the attribute `nothing`");
        assertEntry(explanation, 3, Explanation.Outcome.SATISFIED);
        assertEntry(explanation, 4, Explanation.Outcome.SATISFIED);
    }

    private static void assertEntry(
            Explanation explanation, int place, Explanation.Outcome outcome, String... details) {
        Explanation.Entry entry = explanation.entries().get(place);
        assertEquals(outcome, entry.outcome());
        assertEquals(List.of(details), entry.details());
    }

    /** Two values too deep to be compared: nobody could have sent them, but the answer is no. */
    @Test
    void whatWasNotForeseenDenies() {
        String policies =
                "permit(principal, action, resource) when { context.a == context.b || true };";
        Request request =
                new Request(
                        Policies.ALICE,
                        Policies.READ,
                        Policies.DOC,
                        RecordValue.of(Map.of("a", deep(), "b", deep())),
                        Entities.EMPTY);
        Evaluator evaluator = new Evaluator(Policies.compile(policies));
        Decision decision = evaluator.decide(request);
        assertFalse(decision.allowed());
        assertTrue(decision.failure().contains("StackOverflowError"), decision.failure());
        assertFalse(evaluator.explain(request).decision().allowed());
        Request shallow = Policies.request(Map.of("a", 1, "b", 2));
        assertTrue(evaluator.decide(shallow).allowed());
    }

    private static Value deep() {
        Value value = new LongValue(1);
        for (int i = 0; i < 200_000; i++) {
            value = RecordValue.of(Map.of("x", value));
        }
        return value;
    }
}
