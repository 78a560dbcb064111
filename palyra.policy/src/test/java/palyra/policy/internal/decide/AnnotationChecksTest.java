package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.core.policy.PolicyProblem;

class AnnotationChecksTest {
    private static final String FORBID =
            " forbid (principal, action == Action::\"tool.execute\", resource)\n"
                    + "unless { context.approval.granted };";
    private static final String PERMIT = " permit (principal, action, resource);";

    private static List<PolicyProblem> check(String policies) {
        return new AnnotationChecks().check(Sets.of(policies));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@approvers(\"\")",
                "@approvers(\"approver\")",
                "@approvers(\"group:approver,\")",
                "@approvers(\"role:x\")",
                "@others(\"yes\")",
                "@ttl(\"\")",
                "@ttl(\"0s\")",
                "@ttl(\"15\")",
                "@ttl(\"15m1h\")",
                "@ttl(\"-1h\")",
                "@ttl(\"366d\")",
                "@ttl(\"1.5h\")",
                "@scopes(\"\")",
                "@scopes(\"always\")",
                "@scopes(\"once;session\")",
                "@quorum(\"0\")",
                "@quorum(\"17\")",
                "@quorum(\"two\")",
                "@quorum(\"-1\")",
                "@remind(\"soon\")",
                "@remind(\"0s\")",
                "@escalate(\"\")",
                "@escalate(\"zoe\")"
            })
    void anAnnotationThatCannotBeReadIsAnError(String annotation) {
        List<PolicyProblem> problems = check("\n@approval(\"?\")\n  " + annotation + FORBID);

        assertEquals(1, problems.size(), problems.toString());
        PolicyProblem problem = problems.get(0);
        assertTrue(problem.error());
        assertEquals("own.cedar", problem.file());
        assertEquals(3, problem.line());
        assertEquals(3, problem.column());
        assertTrue(problem.message().contains("cannot be read"), problem.message());
        assertTrue(problem.sourceLine().contains(annotation), problem.sourceLine());
        assertTrue(problem.caretLine().startsWith("  ^"), problem.caretLine());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"@tier(\"d\")", "@tier(\"A\")", "@egress(\"\")", "@egress(\"open\")"})
    void aConfinementThatCannotBeReadIsAnError(String annotation) {
        List<PolicyProblem> problems = check(annotation + PERMIT);

        assertEquals(1, problems.size());
        assertTrue(problems.get(0).error());
    }

    @Test
    void everythingThatReadsIsFine() {
        assertEquals(
                List.of(),
                check(
                        "@approval(\"?\") @approvers(\"group:x, user:a@b.example\") @others"
                                + " @ttl(\"1d2h3m4s\") @scopes(\"once, timeboxed\") @quorum(\"16\")"
                                + " @remind(\"2h\") @escalate(\"group:lead,user:a@b.example\")"
                                + " @note(\"mine\")"
                                + FORBID
                                + "@tier(\"b\") @egress(\"preflight\") @reason(\"…\")"
                                + PERMIT));
    }

    @Test
    void whatMeansNothingWhereItStandsIsAWarning() {
        for (String policy :
                List.of(
                        "@approval(\"?\")" + PERMIT,
                        "@ttl(\"1h\")" + PERMIT,
                        "@approval(\"?\") @tier(\"a\")" + FORBID,
                        "@approval(\"?\") @approver(\"user:a\")" + FORBID,
                        "@ttl(\"1h\")" + FORBID,
                        FORBID,
                        "@approval(\"?\") forbid (principal, action, resource);")) {
            List<PolicyProblem> problems = check(policy);
            assertEquals(1, problems.size(), policy + problems);
            assertTrue(!problems.get(0).error(), policy);
        }
    }

    @Test
    void aMisspeltAnnotationIsGuessed() {
        assertEquals(
                "Did you mean @approvers?",
                check("@approval(\"?\") @aprovers(\"user:a\")" + FORBID).get(0).help());
    }

    @Test
    void errorsComeFirst() {
        List<PolicyProblem> problems =
                check("@ttl(\"1h\")" + PERMIT + "@approval(\"?\") @ttl(\"x\")" + FORBID);

        assertEquals(List.of(true, false), problems.stream().map(PolicyProblem::error).toList());
    }
}
