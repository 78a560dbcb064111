package palyra.gateway.internal.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyDecision;
import palyra.shared.approval.ApprovalRequestBody;

/** The ways to answer an approval request, each with its effect. Pure. */
final class AnswerOptions {
    /** How long a yes for a while holds unless a person says otherwise. */
    static final long WHILE_MILLIS = 3_600_000;

    private AnswerOptions() {}

    /** Returns how far a yes may reach, narrowest first: one call always, more if both agree. */
    static Set<ApprovalScope> scopes(CallForApproval call, ApprovalTerms terms) {
        Set<ApprovalScope> scopes = new TreeSet<>(Set.of(ApprovalScope.ONCE));
        if (!call.onceOnly()) {
            scopes.addAll(terms.scopes());
        }
        return scopes;
    }

    /**
     * Returns why a yes covers one call alone, as a sentence; empty when more is offered.
     *
     * @param policy whose terms they are
     */
    static String onceOnly(CallForApproval call, ApprovalTerms terms, PolicyDecision policy) {
        if (call.onceOnly()) {
            return ApprovalText.sentence(call.description().onceOnly());
        }
        return scopes(call, terms).size() > 1
                ? ""
                : "the policies allow an answer for one call alone ("
                        + String.join(", ", policy.policyIds().stream().sorted().toList())
                        + ").";
    }

    static List<ApprovalRequestBody.Option> of(
            CallForApproval call, ApprovalTerms terms, PolicyDecision policy) {
        List<ApprovalRequestBody.Option> options = new ArrayList<>();
        for (ApprovalScope scope : scopes(call, terms)) {
            switch (scope) {
                case ONCE -> options.add(once(call, onceOnly(call, terms, policy)));
                case SESSION ->
                        longer(
                                options,
                                call,
                                scope,
                                "session",
                                "in this session",
                                "in this session",
                                0);
                case TIMEBOXED ->
                        longer(
                                options,
                                call,
                                scope,
                                "timeboxed",
                                "for " + ApprovalText.duration(WHILE_MILLIS),
                                "until the grant ends", // a person may choose another time
                                WHILE_MILLIS);
                default -> {} // a scope that has no explanation here is not offered
            }
        }
        options.add(deny());
        return options;
    }

    private static ApprovalRequestBody.Option once(CallForApproval call, String onceOnly) {
        String why = onceOnly.isEmpty() ? "" : " It cannot be allowed for longer: " + onceOnly;
        return option(
                "allow_once",
                "Allow once",
                "Covers this call and no other" + inWorkspace(call) + why,
                ApprovalScope.ONCE,
                GrantShape.EXACT,
                0);
    }

    private static String inWorkspace(CallForApproval call) {
        return call.facts().workspace().known()
                ? ", with the files that the workspace holds now; if they change before it starts,"
                        + " you are asked again."
                : ".";
    }

    /** A grant that lasts cannot be bound to files that calls exist to change. */
    private static String whateverItHolds(CallForApproval call) {
        return call.facts().workspace().known()
                ? " It covers them with any files that the workspace then holds."
                : "";
    }

    private static void longer(
            List<ApprovalRequestBody.Option> options,
            CallForApproval call,
            ApprovalScope scope,
            String word,
            String when,
            String until,
            long ttlMillis) {
        options.add(
                option(
                        "allow_" + word,
                        "Allow " + when,
                        "Covers this call and, "
                                + until
                                + ", every equal one: "
                                + ApprovalText.EQUAL
                                + whateverItHolds(call),
                        scope,
                        GrantShape.EXACT,
                        ttlMillis));
        call.description()
                .pattern()
                .ifPresent(
                        pattern ->
                                options.add(
                                        option(
                                                "allow_" + word + "_pattern",
                                                "Allow calls like it " + when,
                                                "Covers, "
                                                        + until
                                                        + ": "
                                                        + pattern.sentence()
                                                        + whateverItHolds(call),
                                                scope,
                                                GrantShape.PATTERN,
                                                ttlMillis)));
    }

    private static ApprovalRequestBody.Option option(
            String id,
            String label,
            String description,
            ApprovalScope scope,
            GrantShape shape,
            long ttlMillis) {
        return new ApprovalRequestBody.Option(
                id, label, description, false, true, scope.name(), shape.name(), ttlMillis);
    }

    private static ApprovalRequestBody.Option deny() {
        return new ApprovalRequestBody.Option(
                "deny_once",
                "Deny",
                "The call is not made, and the model gets your reason.",
                true,
                false,
                ApprovalScope.ONCE.name(),
                GrantShape.EXACT.name(),
                0);
    }
}
