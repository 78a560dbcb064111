package palyra.channels.internal.approval;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.ApprovalRow;
import palyra.channels.internal.inbound.Speakers;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.ApproverText;
import palyra.shared.approval.PairingApprovals;

/**
 * Foresees whether someone may answer a request, so that who may not is not asked for a reason
 * first. The answer itself is what counts, and is looked at again by those who take it.
 * Thread-safe.
 */
final class AnswerRights {
    private static final String GROUP = "group:";

    private final Speakers speakers;

    AnswerRights(Speakers speakers) {
        this.speakers = speakers;
    }

    /** Throws DENIED unless the principal may answer, as far as is known before. */
    void require(ApprovalRow row, boolean granted, Principal principal) {
        Map<String, String> facts = facts(row, granted);
        if (row.isPairing()) {
            String verb = granted ? "approve" : "deny";
            facts.put("command", "pairing " + verb);
            speakers.require(
                    new AccessRequest(
                            principal,
                            PairingApprovals.ACTION,
                            "command:pairing." + verb,
                            "",
                            facts));
            return;
        }
        String owner = row.principal().isEmpty() ? principal.id() : row.principal();
        speakers.require(
                new AccessRequest(
                        principal,
                        "approval.decide",
                        "approval:" + row.approvalId(),
                        owner,
                        facts));
        requireApprover(ApprovalRequestCodec.question(row.payload()), principal);
    }

    /** What policy is told of the answer itself: a button says yes to one call, or no. */
    private static Map<String, String> facts(ApprovalRow row, boolean granted) {
        Map<String, String> facts = new HashMap<>();
        facts.put("granted", Boolean.toString(granted));
        facts.put("scope", granted ? word(ApprovalScope.ONCE) : "");
        facts.put("shape", word(GrantShape.EXACT));
        if (!row.isPairing()) {
            facts.put("runId", row.runId());
            facts.put("callId", row.callId());
        }
        return facts;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void requireApprover(ApprovalRequestBody question, Principal principal) {
        ApprovalRequestBody.Origin origin = question.origin();
        boolean other =
                !question.terms().others() || !origin.isBehind(principal.id(), principal.person());
        boolean named =
                ApproverText.approvers(question.terms(), System.currentTimeMillis()).stream()
                        .anyMatch(one -> is(principal, one));
        if (!other || !named) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Approval "
                            + question.approvalId()
                            + " is not for "
                            + principal.id()
                            + " to answer.");
        }
    }

    private static boolean is(Principal principal, String approver) {
        return approver.startsWith(GROUP)
                ? principal.in(approver.substring(GROUP.length()))
                : principal.id().equals(approver);
    }
}
