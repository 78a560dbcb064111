package palyra.api.core.access;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * The decision of the policies on one request.
 *
 * @param outcome the decision
 * @param reasonCode machine-readable: {@code policy.allow}, {@code policy.approval_required},
 *     {@code policy.denied} (a forbid), {@code policy.not_permitted} (no permit), {@code
 *     policy.unknown_action}, {@code policy.forbid_failed}, {@code policy.failed}, {@code
 *     policy.not_confirmed}, {@code approval.nobody}
 * @param reason one sentence for the caller; names no policy condition, so that an agent learns
 *     nothing it could work around
 * @param operatorReason one or more sentences for operators: policies, conditions, failures
 * @param policyIds policies that determined the outcome, by {@code @id} or else by {@code file#n};
 *     empty for a denial by default
 * @param missing conditions, in Cedar's syntax, that would have to hold for an allow; empty when
 *     allowed or not known
 * @param approval the required approval; present exactly when the outcome is {@code
 *     ALLOW_IF_APPROVED}
 * @param confinement the strictest that the satisfied permits ask for; the strictest there is when
 *     denied
 * @param confirmation the answer of the native engine
 * @param setSha256 digest of the policy set that decided
 * @param epoch how many sets were in force in this process up to that one
 * @param evidenceJson the request as it was decided, canonical JSON: principal, action, resource,
 *     context, entities; enough to decide it again, without secrets
 */
public record PolicyDecision(
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
    /** The decision. */
    public enum Outcome {
        /** Allowed. */
        ALLOW,
        /** Allowed once approved. */
        ALLOW_IF_APPROVED,
        /** Denied. */
        DENY
    }

    /** The answer of the second engine to an allow. */
    public enum Confirmation {
        /** Not called: the request is not sensitive, or not allowed. */
        NOT_NEEDED,
        /** It allows as well. */
        CONFIRMED,
        /** It denies, which counts. */
        REFUSED,
        /** Not available; the compiled engine's decision counts and the record says so. */
        ABSENT
    }

    /** Checks and copies. */
    public PolicyDecision {
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

    /** Returns this decision with other missing conditions. */
    public PolicyDecision withMissing(List<String> conditions) {
        return new PolicyDecision(
                outcome,
                reasonCode,
                reason,
                operatorReason,
                policyIds,
                conditions,
                approval,
                confinement,
                confirmation,
                setSha256,
                epoch,
                evidenceJson);
    }

    /** Returns this decision with another answer of the native engine. */
    public PolicyDecision withConfirmation(Confirmation answer) {
        return new PolicyDecision(
                outcome,
                reasonCode,
                reason,
                operatorReason,
                policyIds,
                missing,
                approval,
                confinement,
                answer,
                setSha256,
                epoch,
                evidenceJson);
    }
}
