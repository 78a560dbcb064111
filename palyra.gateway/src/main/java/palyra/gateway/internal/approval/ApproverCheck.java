package palyra.gateway.internal.approval;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.Coverage;

/**
 * Whether the approvers of a call are eligible under the present terms. Pure. A policy that became
 * stricter since then invalidates an approval; one that became looser adds no approver.
 */
public final class ApproverCheck {
    private static final String GROUP = "group:";

    private ApproverCheck() {}

    /**
     * Returns whether enough different people said yes who may.
     *
     * @param asked the question that they answered
     * @param votedAtMillis when each of them did, unix time in milliseconds
     * @param now the terms in force
     * @param asker for whom the call would happen, and whose credential started its run
     */
    public static boolean satisfy(
            Coverage coverage,
            ApprovalRequestBody request,
            Map<String, Long> votedAtMillis,
            ApprovalTerms now,
            CallOrigin callOrigin) {
        return reaches(coverage.scope(), now)
                && entitled(coverage, request, votedAtMillis, now, callOrigin) >= now.quorum();
    }

    /** The scope of one call is within every scope that a policy allows. */
    private static boolean reaches(String scope, ApprovalTerms now) {
        return scope.equals(ApprovalScope.ONCE.name())
                || now.scopes().stream().anyMatch(allowed -> allowed.name().equals(scope));
    }

    private static long entitled(
            Coverage coverage,
            ApprovalRequestBody request,
            Map<String, Long> votedAtMillis,
            ApprovalTerms now,
            CallOrigin callOrigin) {
        Set<String> counted = new HashSet<>();
        for (Coverage.Voter voter : coverage.voters()) {
            Long at = votedAtMillis.get(voter.principal());
            boolean ownCall =
                    isBehind(callOrigin, voter)
                            || request.origin().isBehind(voter.principal(), voter.person());
            if (at != null
                    && !(now.others() && ownCall)
                    && (isAmong(now.approvers(), voter) || escalated(request, voter, at))) {
                counted.add(voter.person()); // one vote a person, under any name
            }
        }
        return counted.size();
    }

    private static boolean isBehind(CallOrigin callOrigin, Coverage.Voter voter) {
        List<String> names = List.of(callOrigin.principal(), callOrigin.person());
        return names.contains(voter.principal()) || names.contains(voter.person());
    }

    /** After an escalation the further approvers count too, by the request's own terms. */
    private static boolean escalated(
            ApprovalRequestBody request, Coverage.Voter voter, long atMillis) {
        long from = request.terms().escalateAtMillis();
        return from > 0 && atMillis >= from && isAmong(request.terms().escalateTo(), voter);
    }

    private static boolean isAmong(Collection<String> approvers, Coverage.Voter voter) {
        return approvers.contains(voter.principal())
                || voter.groups().stream().anyMatch(group -> approvers.contains(GROUP + group));
    }
}
