package palyra.api.core.access;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * What the policies say to one question.
 *
 * @param outcome the decision
 * @param reasonCode machine-readable: {@code policy.allow}, {@code policy.approval_required},
 *     {@code policy.denied} (a forbid), {@code policy.not_permitted} (no permit), {@code
 *     policy.unknown_action}, {@code policy.forbid_failed}, {@code policy.failed}, {@code
 *     policy.not_confirmed}, {@code approval.nobody}
 * @param reason one sentence for whoever asked; names no policy condition, so that an agent learns
 *     nothing it could work around
 * @param operatorReason one or more sentences for operators: policies, conditions, failures
 * @param policyIds policies that determined the outcome, by {@code @id} or else by {@code file#n};
 *     empty for a denial by default
 * @param missing conditions, in Cedar's syntax, that would have to hold for an allow; empty when
 *     allowed or not known
 * @param approval what a person would have to do; present exactly when the outcome is {@code
 *     ALLOW_IF_APPROVED}
 * @param confinement the strictest that the satisfied permits ask for; the strictest there is when
 *     denied
 * @param confirmation whether the native engine had its say
 * @param setSha256 digest of the policy set that decided
 * @param epoch how many sets were in force in this process up to that one
 * @param evidenceJson the question as it was decided, canonical JSON: principal, action, resource,
 *     context, entities; enough to decide it again, without secrets
 */
public record PolicyAnswer(
        Outcome outcome,
        String reasonCode,
        String reason,
        String operatorReason,
        List<String> policyIds,
        List<String> missing,
        Optional<ApprovalTerms> approval,
        Confinement confinement,
        Confirmation confirmation,
        String setSha256,
        long epoch,
        String evidenceJson) {
    /** What may happen. */
    public enum Outcome {
        /** Yes. */
        ALLOW,
        /** Yes, as soon as people have approved. */
        ALLOW_IF_APPROVED,
        /** No. */
        DENY
    }

    /** What the second engine said to an allow. */
    public enum Confirmation {
        /** Not asked: nothing sensitive, or no allow. */
        NOT_NEEDED,
        /** It allows as well. */
        CONFIRMED,
        /** It denies, which counts. */
        REFUSED,
        /** It is not there; the compiled engine's word stands and the record says so. */
        ABSENT
    }

    /** Checks and copies. */
    public PolicyAnswer {
        Require.present(outcome, "outcome");
        Require.text(reasonCode, "reason code");
        Require.text(reason, "reason");
        operatorReason = Require.orEmpty(operatorReason);
        policyIds = List.copyOf(policyIds);
        missing = List.copyOf(missing);
        Require.present(approval, "approval terms");
        Require.that(
                approval.isPresent() == (outcome == Outcome.ALLOW_IF_APPROVED),
                "approval terms go with ALLOW_IF_APPROVED and with nothing else");
        Require.present(confinement, "confinement");
        Require.present(confirmation, "confirmation");
        Require.text(setSha256, "policy set digest");
        evidenceJson = Require.orEmpty(evidenceJson);
    }
}
