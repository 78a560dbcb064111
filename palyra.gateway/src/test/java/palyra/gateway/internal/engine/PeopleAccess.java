package palyra.gateway.internal.engine;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;

/** Answers of a policy that wants people for some tools. The last two may be changed meanwhile. */
final class PeopleAccess extends FakeAccess {
    static final ApprovalTerms TERMS = terms(1);

    volatile ApprovalTerms terms = TERMS;
    volatile boolean deniesAll;
    volatile Confinement confinement = Confinement.STRICTEST;

    PeopleAccess(String... tools) {
        super(Use.TOOL);
        Set<String> asking = Set.of(tools);
        answering(question -> answer(question, asking.contains(question.toolName())));
    }

    static ApprovalTerms terms(int quorum) {
        return new ApprovalTerms(
                Set.of("group:approver"), true, 3_600_000, Set.of(ApprovalScope.values()), quorum);
    }

    private ToolPolicyDecision answer(ToolPolicyRequest question, boolean asks) {
        if (deniesAll) {
            return answer(PolicyDecision.Outcome.DENY, Verdict.DENY);
        }
        return asks && !question.situation().approved()
                ? answer(PolicyDecision.Outcome.ALLOW_IF_APPROVED, Verdict.APPROVAL_REQUIRED)
                : answer(PolicyDecision.Outcome.ALLOW, Verdict.ALLOW);
    }

    private ToolPolicyDecision answer(PolicyDecision.Outcome outcome, Verdict verdict) {
        boolean asks = outcome == PolicyDecision.Outcome.ALLOW_IF_APPROVED;
        PolicyDecision policy =
                new PolicyDecision(
                        outcome,
                        "policy." + outcome,
                        "The test says " + verdict + ".",
                        "operators read this",
                        List.of("test.policy"),
                        List.of(),
                        asks ? Optional.of(terms) : Optional.empty(),
                        confinement,
                        PolicyDecision.Confirmation.NOT_NEEDED,
                        "5e7",
                        1,
                        "{}");
        return new ToolPolicyDecision(
                verdict,
                policy.reasonCode(),
                policy.reason(),
                "POLICY",
                policy.policyIds(),
                "{}",
                Optional.of(policy));
    }
}
