package palyra.api.approval;

import palyra.api.Require;

/**
 * Why approval is required.
 *
 * @param policyId policy that asks
 * @param policySha256 digest of the policy set that decided, lower-case hex
 * @param summary the decision in a sentence
 */
public record ApprovalPolicy(String policyId, String policySha256, String summary) {
    /** Checks. */
    public ApprovalPolicy {
        policyId = Require.orEmpty(policyId);
        policySha256 = Require.orEmpty(policySha256);
        summary = Require.orEmpty(summary);
    }
}
