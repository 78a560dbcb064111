package palyra.gateway.internal.engine;

import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.ToolAnswer;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.fold.Call;

/** Puts decisions into the form that they have on the tape. Pure functions. */
final class Decisions {
    private Decisions() {}

    /** {@code snapshotSha256}: digest of the snapshot that goes with the answer. */
    static TapeEvent.ToolDecision event(Call call, ToolAnswer answer, String snapshotSha256) {
        return answer.policy()
                .map(policy -> byPolicy(call, answer, policy, snapshotSha256))
                .orElseGet(
                        () ->
                                new TapeEvent.ToolDecision(
                                        call.callId(),
                                        call.proposal().tool(),
                                        answer.verdict(),
                                        answer.reasonCode(),
                                        answer.reason(),
                                        answer.source(),
                                        answer.policyIds(),
                                        snapshotSha256));
    }

    private static TapeEvent.ToolDecision byPolicy(
            Call call, ToolAnswer answer, PolicyAnswer policy, String snapshotSha256) {
        return new TapeEvent.ToolDecision(
                call.callId(),
                call.proposal().tool(),
                answer.verdict(),
                answer.reasonCode(),
                answer.reason(),
                answer.source(),
                answer.policyIds(),
                snapshotSha256,
                policy.setSha256(),
                policy.operatorReason(),
                policy.missing(),
                policy.confinement().tier().name(),
                policy.confinement().egress().name(),
                policy.confirmation().name(),
                policy.evidenceJson());
    }
}
