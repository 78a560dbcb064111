package palyra.shared.tool;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * The decision on a tool call that an operator makes with a command: the policy request of a call
 * of the agent {@code operator}, which no run can have. Where the policy requires an approval that
 * the operator may give alone, the command counts as that approval, and policy decides again with
 * it.
 *
 * @param answer the answer of policy; its verdict is ALLOW
 * @param confinement the least strict confinement in which the call may run
 * @param approvedBy the operator when the call needed an approval; empty otherwise
 */
public record OperatorDecision(
        ToolPolicyDecision answer, Confinement confinement, Set<String> approvedBy) {
    /** Agent that the policy request names. */
    public static final String AGENT = "operator";

    /** Copies. */
    public OperatorDecision {
        approvedBy = Set.copyOf(approvedBy);
    }

    /**
     * A tool call as policy decides on it.
     *
     * @param sessionId empty for a call outside of a session
     * @param facts what the call would do
     */
    public record Call(
            String runId,
            String sessionId,
            String callId,
            ToolDescriptor tool,
            String inputJson,
            CallFacts facts) {}

    /**
     * Asks policy for a decision.
     *
     * @throws PalyraException DENIED with the reason, POLICY_UNAVAILABLE
     */
    public static OperatorDecision of(Gate<Access> access, Principal operator, Call call) {
        ToolPolicyDecision first = decide(access, operator, call, Set.of());
        if (first.verdict() != Verdict.APPROVAL_REQUIRED) {
            return requireAllowed(first, Set.of());
        }
        requireOwnApproval(first, operator);
        Set<String> approvedBy = Set.of(operator.id());
        return requireAllowed(decide(access, operator, call, approvedBy), approvedBy);
    }

    private static ToolPolicyDecision decide(
            Gate<Access> access, Principal operator, Call call, Set<String> approvedBy) {
        ToolDescriptor tool = call.tool();
        CallContext situation =
                new CallContext(
                        "",
                        "",
                        operator.groups(),
                        false,
                        !approvedBy.isEmpty(),
                        approvedBy,
                        call.facts());
        ToolPolicyRequest request =
                new ToolPolicyRequest(
                        operator.id(),
                        AGENT,
                        false,
                        call.runId(),
                        call.sessionId(),
                        call.callId(),
                        tool.name(),
                        tool,
                        call.inputJson(),
                        Set.of(tool.name()),
                        1,
                        1,
                        situation,
                        List.of(tool));
        return access.call(service -> service.decideTool(request));
    }

    private static OperatorDecision requireAllowed(
            ToolPolicyDecision answer, Set<String> approvedBy) {
        if (answer.verdict() != Verdict.ALLOW) {
            throw new PalyraException(ErrorCode.DENIED, answer.reason());
        }
        return new OperatorDecision(
                answer,
                answer.policy().map(PolicyDecision::confinement).orElse(Confinement.STRICTEST),
                approvedBy);
    }

    private static void requireOwnApproval(ToolPolicyDecision answer, Principal operator) {
        Optional<ApprovalTerms> terms = answer.policy().flatMap(PolicyDecision::approval);
        boolean alone =
                terms.isPresent()
                        && terms.get().quorum() == 1
                        && !terms.get().others()
                        && terms.get().approvers().stream()
                                .anyMatch(approver -> includes(approver, operator));
        if (!alone) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Policy requires an approval that you cannot give alone. " + answer.reason());
        }
    }

    private static boolean includes(String approver, Principal operator) {
        return approver.startsWith("group:")
                ? operator.in(approver.substring("group:".length()))
                : approver.equals(operator.id());
    }

    /** Returns the digest of the policy snapshot that decided. */
    public String policySha256() {
        return Digests.sha256Hex(answer.snapshotJson());
    }
}
