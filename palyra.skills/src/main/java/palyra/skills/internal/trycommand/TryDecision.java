package palyra.skills.internal.trycommand;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallSituation;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;
import palyra.skills.internal.tool.Offer;

/**
 * What policy says to a call that an operator makes by hand: the same question as for a call of the
 * agent {@code operator}, which no run can have. Where policy wants an approval that the operator
 * may give alone, giving the command is giving it, and policy is asked again with it.
 *
 * @param answer the answer that counts
 * @param confinement where it must run at least
 * @param approvedBy the operator when that took an approval; empty otherwise
 */
record TryDecision(ToolAnswer answer, Confinement confinement, Set<String> approvedBy) {
    /** Agent that the question names. */
    static final String AGENT = "operator";

    /**
     * Decides.
     *
     * @throws PalyraException DENIED with the reason, POLICY_UNAVAILABLE
     */
    static TryDecision of(
            Gate<Access> access, Principal who, TryCall call, Offer offer, String inputJson) {
        ToolAnswer first = ask(access, who, call, offer, inputJson, Set.of());
        if (first.verdict() != Verdict.APPROVAL_REQUIRED) {
            return decided(first, Set.of());
        }
        requireOwnApproval(first, who);
        Set<String> by = Set.of(who.id());
        return decided(ask(access, who, call, offer, inputJson, by), by);
    }

    private static ToolAnswer ask(
            Gate<Access> access,
            Principal who,
            TryCall call,
            Offer offer,
            String inputJson,
            Set<String> approvedBy) {
        ToolDescriptor tool = offer.descriptor();
        ToolQuestion question =
                new ToolQuestion(
                        who.id(),
                        AGENT,
                        false,
                        call.runId(),
                        call.sessionId(),
                        call.callId(),
                        tool.name(),
                        tool,
                        inputJson,
                        Set.of(tool.name()),
                        1,
                        1,
                        new CallSituation(
                                "",
                                "",
                                who.groups(),
                                false,
                                !approvedBy.isEmpty(),
                                approvedBy,
                                offer.facts()),
                        List.of(tool));
        return access.call(front -> front.decideTool(question));
    }

    private static TryDecision decided(ToolAnswer answer, Set<String> approvedBy) {
        if (answer.verdict() != Verdict.ALLOW) {
            throw new PalyraException(ErrorCode.DENIED, answer.reason());
        }
        return new TryDecision(
                answer,
                answer.policy().map(PolicyAnswer::confinement).orElse(Confinement.STRICTEST),
                approvedBy);
    }

    private static void requireOwnApproval(ToolAnswer answer, Principal who) {
        Optional<ApprovalTerms> terms = answer.policy().flatMap(PolicyAnswer::approval);
        boolean own =
                terms.isPresent()
                        && terms.get().quorum() == 1
                        && !terms.get().others()
                        && terms.get().approvers().stream().anyMatch(each -> is(each, who));
        if (!own) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Policy wants an approval that you cannot give alone. " + answer.reason());
        }
    }

    private static boolean is(String approver, Principal who) {
        return approver.startsWith("group:")
                ? who.in(approver.substring("group:".length()))
                : approver.equals(who.id());
    }
}
