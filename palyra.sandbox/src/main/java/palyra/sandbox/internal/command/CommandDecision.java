package palyra.sandbox.internal.command;

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

/**
 * What policy says to a command of an operator: the same question as for a call of an agent named
 * {@code operator}. Where policy wants an approval that the operator may give alone, giving the
 * command is giving it, and policy is asked again with it.
 *
 * @param answer the answer that counts
 * @param confinement where it must run at least
 * @param approvedBy the operator when that took an approval; empty otherwise
 */
record CommandDecision(ToolPolicyDecision answer, Confinement confinement, Set<String> approvedBy) {
    /**
     * Decides.
     *
     * @throws PalyraException DENIED with the reason, POLICY_UNAVAILABLE
     */
    static CommandDecision of(
            Gate<Access> access,
            Principal principal,
            String callId,
            ToolDescriptor tool,
            String inputJson,
            CallFacts facts) {
        ToolPolicyDecision first = ask(access, principal, callId, tool, inputJson, facts, Set.of());
        if (first.verdict() != Verdict.APPROVAL_REQUIRED) {
            return decided(first, Set.of());
        }
        requireOwnApproval(first, principal);
        Set<String> by = Set.of(principal.id());
        return decided(ask(access, principal, callId, tool, inputJson, facts, by), by);
    }

    private static ToolPolicyDecision ask(
            Gate<Access> access,
            Principal principal,
            String callId,
            ToolDescriptor tool,
            String inputJson,
            CallFacts facts,
            Set<String> approvedBy) {
        ToolPolicyRequest question =
                new ToolPolicyRequest(
                        principal.id(),
                        RunRequest.AGENT,
                        false,
                        callId,
                        "",
                        callId,
                        tool.name(),
                        tool,
                        inputJson,
                        Set.of(tool.name()),
                        1,
                        1,
                        new CallContext(
                                "",
                                "",
                                principal.groups(),
                                false,
                                !approvedBy.isEmpty(),
                                approvedBy,
                                facts),
                        List.of(tool));
        return access.call(front -> front.decideTool(question));
    }

    private static CommandDecision decided(ToolPolicyDecision answer, Set<String> approvedBy) {
        if (answer.verdict() != Verdict.ALLOW) {
            throw new PalyraException(ErrorCode.DENIED, answer.reason());
        }
        return new CommandDecision(
                answer,
                answer.policy().map(PolicyDecision::confinement).orElse(Confinement.STRICTEST),
                approvedBy);
    }

    private static void requireOwnApproval(ToolPolicyDecision answer, Principal principal) {
        Optional<ApprovalTerms> terms = answer.policy().flatMap(PolicyDecision::approval);
        boolean own =
                terms.isPresent()
                        && terms.get().quorum() == 1
                        && !terms.get().others()
                        && terms.get().approvers().stream()
                                .anyMatch(approver -> is(approver, principal));
        if (!own) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Policy requires an approval that you cannot give alone. " + answer.reason());
        }
    }

    private static boolean is(String approver, Principal principal) {
        return approver.startsWith("group:")
                ? principal.in(approver.substring("group:".length()))
                : approver.equals(principal.id());
    }

    /**
     * Returns where it runs: what was asked for, the strictest there is where nothing was, which is
     * at least as strict as what was decided.
     *
     * @throws PalyraException DENIED when less was asked for
     */
    Confinement confinement(Optional<Confinement.Tier> tier, Optional<Confinement.Egress> egress) {
        Confinement requested =
                new Confinement(
                        tier.orElse(Confinement.STRICTEST.tier()),
                        egress.orElse(Confinement.STRICTEST.egress()));
        if (!requested.and(confinement).equals(requested)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Tier "
                            + requested.tier()
                            + " with egress "
                            + requested.egress()
                            + " was requested, but policy requires at least tier "
                            + confinement.tier()
                            + " with egress "
                            + confinement.egress()
                            + " for the agent "
                            + RunRequest.AGENT
                            + "; annotate a permit for it with @tier and @egress.");
        }
        return requested;
    }
}
