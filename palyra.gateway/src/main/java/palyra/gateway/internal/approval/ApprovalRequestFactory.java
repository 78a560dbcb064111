package palyra.gateway.internal.approval;

import java.util.Collection;
import java.util.List;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.tools.CallPattern;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.Capability;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.tool.FactsDigest;

/** Creates the approval request for a call. Pure: ids and times are parameters. */
public final class ApprovalRequestFactory {
    private static final String TOOL = "TOOL";

    private ApprovalRequestFactory() {}

    /**
     * When a question is asked.
     *
     * @param ask which question about the same call this is, from 1
     */
    public record Occasion(String approvalId, int ask, long nowMillis) {}

    /**
     * Returns the question.
     *
     * @param shown the call as people may see it: without secrets
     * @param policy the answer that asks for people, with their terms
     * @param snapshotSha256 digest of the policy snapshot that goes with it
     */
    public static ApprovalRequestBody ask(
            Occasion occasion,
            CallOrigin callOrigin,
            CallForApproval call,
            CallForApproval shown,
            ApprovalTerms terms,
            PolicyDecision policy,
            String snapshotSha256) {
        long expires = Math.addExact(occasion.nowMillis(), terms.ttlMillis());
        return new ApprovalRequestBody(
                occasion.approvalId(),
                TOOL,
                "tool:" + call.tool(),
                occasion.ask(),
                ApprovalText.line(shown),
                origin(callOrigin),
                subject(call, shown),
                call.description().pattern().map(ApprovalRequestFactory::pattern).orElse(null),
                terms(call, terms, expires),
                new ApprovalRequestBody.Policy(
                        sorted(policy.policyIds()),
                        policy.setSha256(),
                        snapshotSha256,
                        policy.reason()),
                prompt(callOrigin, shown, terms, policy),
                occasion.nowMillis(),
                expires);
    }

    private static ApprovalRequestBody.Origin origin(CallOrigin callOrigin) {
        return new ApprovalRequestBody.Origin(
                callOrigin.sessionId(),
                callOrigin.runId(),
                callOrigin.callId(),
                callOrigin.agentId(),
                callOrigin.principal(),
                callOrigin.deviceId(),
                callOrigin.channel(),
                callOrigin.person());
    }

    /** Digests are of the call as it is, words as they are shown. */
    private static ApprovalRequestBody.Call subject(CallForApproval call, CallForApproval shown) {
        CallFacts facts = shown.facts();
        return new ApprovalRequestBody.Call(
                call.tool(),
                shown.inputJson(),
                call.bindingSha256(),
                FactsDigest.of(call.facts()),
                facts.executable(),
                facts.executableSha256(),
                facts.workingFolder(),
                shown.description().argv(),
                sorted(facts.hosts()),
                sorted(facts.readPaths()),
                sorted(facts.writePaths()),
                sorted(facts.secrets()),
                call.capabilities().stream().map(Capability::name).sorted().toList(),
                call.confinement().tier().name(),
                call.confinement().egress().name(),
                call.description().onceOnly(),
                facts.workspace().sha256(),
                sorted(facts.workspace().running()));
    }

    private static ApprovalRequestBody.Pattern pattern(CallPattern pattern) {
        return new ApprovalRequestBody.Pattern(
                pattern.sentence(),
                pattern.fixed(),
                sorted(pattern.options()),
                sorted(pattern.hosts()));
    }

    private static ApprovalRequestBody.Terms terms(
            CallForApproval call, ApprovalTerms terms, long expires) {
        return new ApprovalRequestBody.Terms(
                sorted(terms.approvers()),
                terms.others(),
                AnswerOptions.scopes(call, terms).stream().map(Enum::name).toList(),
                terms.quorum(),
                sorted(terms.escalateTo()),
                terms.escalateTo().isEmpty() ? 0 : expires - terms.reminderMillis() / 2);
    }

    private static ApprovalRequestBody.Prompt prompt(
            CallOrigin callOrigin,
            CallForApproval call,
            ApprovalTerms terms,
            PolicyDecision policy) {
        return new ApprovalRequestBody.Prompt(
                "Approve " + call.tool() + "?",
                Risk.of(call).name(),
                ApprovalText.summary(callOrigin, call, terms, policy),
                policy.operatorReason().isEmpty() ? policy.reason() : policy.operatorReason(),
                Math.clamp(terms.ttlMillis() / 1_000, 1, Integer.MAX_VALUE),
                AnswerOptions.of(call, terms, policy));
    }

    private static List<String> sorted(Collection<String> texts) {
        return texts.stream().sorted().toList();
    }

    /** Returns the record of a question. */
    public static TapeEvent.ApprovalRequest event(ApprovalRequestBody question) {
        return new TapeEvent.ApprovalRequest(
                question.approvalId(),
                question.origin().callId(),
                ApprovalRequestCodec.text(question),
                question.expiresAtMillis(),
                question.call().bindingSha256(),
                question.terms().quorum());
    }

    /**
     * Returns the question as the journal keeps it.
     *
     * @param reminderMillis how long before its end people are reminded
     */
    public static ApprovalRow row(ApprovalRequestBody question, long reminderMillis) {
        return ApprovalRow.asked(
                question.approvalId(),
                question.origin().runId(),
                question.origin().callId(),
                question.origin().sessionId(),
                question.origin().principal(),
                question.subjectType(),
                question.subjectId(),
                ApprovalRequestCodec.bytes(question),
                question.terms().quorum(),
                question.expiresAtMillis(),
                Math.max(1, question.expiresAtMillis() - reminderMillis));
    }
}
