package palyra.front.internal.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.shared.approval.AnswerLimits;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApproverText;
import palyra.shared.approval.PairingApprovals;

/** Checks who may answer an approval request, and how. Pure. */
final class AnswerRules {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final String GROUP = "group:";

    /** The scope without which no credential speaks for other principals. */
    private static final String SPEAK_FOR = "access.speak_for";

    private AnswerRules() {}

    /** Throws DENIED, saying who may, unless the principal is one of those who may answer. */
    static void requireMayAnswer(
            ApprovalRequestBody question, Principal principal, long nowMillis) {
        ApprovalRequestBody.Terms terms = question.terms();
        if (terms.others()) {
            requireOther(question, principal);
        }
        List<String> approvers = ApproverText.approvers(terms, nowMillis);
        if (approvers.stream().noneMatch(approver -> is(principal, approver))) {
            throw denied(
                    question,
                    "is for "
                            + String.join(" or ", approvers)
                            + " to answer; "
                            + principal.id()
                            + " is not one of them."
                            + later(terms, nowMillis));
        }
    }

    /** One credential under two names is one person. */
    private static void requireOther(ApprovalRequestBody question, Principal principal) {
        ApprovalRequestBody.Origin origin = question.origin();
        if (origin.isBehind(principal.id(), principal.person())) {
            throw denied(
                    question,
                    "comes from a run of "
                            + origin.principal()
                            + startedBy(origin)
                            + " and has to be answered by another person than "
                            + principal.person()
                            + "; cancel the run if it is not wanted.");
        }
        if (principal.scopes().contains(SPEAK_FOR)) {
            throw denied(
                    question,
                    "has to be answered by another person than "
                            + origin.principal()
                            + ", and the credential "
                            + principal.credentialId()
                            + " may speak for that principal; answer with a credential without the"
                            + " scope "
                            + SPEAK_FOR
                            + ".");
        }
    }

    private static String startedBy(ApprovalRequestBody.Origin origin) {
        return origin.person().equals(origin.principal())
                ? ""
                : ", which " + origin.person() + " started,";
    }

    private static String later(ApprovalRequestBody.Terms terms, long nowMillis) {
        boolean comes =
                !terms.escalateTo().isEmpty()
                        && terms.escalateAtMillis() > 0
                        && terms.escalateAtMillis() > nowMillis;
        return comes
                ? " From "
                        + Instant.ofEpochMilli(terms.escalateAtMillis())
                        + " on also "
                        + String.join(" or ", terms.escalateTo())
                        + " may."
                : "";
    }

    private static boolean is(Principal principal, String approver) {
        return approver.startsWith(GROUP)
                ? principal.in(approver.substring(GROUP.length()))
                : principal.id().equals(approver);
    }

    private static PalyraException denied(ApprovalRequestBody question, String why) {
        return new PalyraException(
                ErrorCode.DENIED, "Approval " + question.approvalId() + " " + why);
    }

    /** Throws INVALID_ARGUMENT with the offered answers unless the request offers such a yes. */
    static void requireOffered(ApprovalRequestBody question, ApprovalAnswer yes) {
        if (yes.maxUses() > 0 && question.subjectType().equals(PairingApprovals.SUBJECT_TYPE)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A yes to a pairing covers all messages of the sender until it is revoked or its"
                            + " time is over, and not "
                            + yes.maxUses()
                            + " of them; leave the number out, or give a time.");
        }
        GrantShape shape = shape(yes);
        if (!isOffered(question, yes.scope(), shape)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Approval "
                            + question.approvalId()
                            + " does not offer a yes for "
                            + words(yes.scope().name(), shape.name())
                            + "; it offers "
                            + offers(question)
                            + "."
                            + onceOnly(question));
        }
        if (yes.ttlMillis() > AnswerLimits.MOST_MILLIS && !question.origin().runId().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A yes holds for at most "
                            + AnswerLimits.MOST_DAYS
                            + " days; "
                            + Math.ceilDiv(yes.ttlMillis(), HOUR_MILLIS)
                            + " hours were asked for.");
        }
    }

    /** Returns how alike later calls must be; a yes for one call has no later ones. */
    static GrantShape shape(ApprovalAnswer answer) {
        return answer.granted() && answer.scope() != ApprovalScope.ONCE
                ? answer.shape()
                : GrantShape.EXACT;
    }

    private static boolean isOffered(
            ApprovalRequestBody question, ApprovalScope scope, GrantShape shape) {
        boolean lasting = scope != ApprovalScope.ONCE;
        boolean shown = question.prompt().options().stream().anyMatch(o -> is(o, scope, shape));
        boolean meant = question.terms().scopes().stream().anyMatch(s -> same(s, scope.name()));
        return shown
                && meant
                && (!lasting || onceOnlyText(question).isEmpty())
                && (shape == GrantShape.EXACT || question.pattern() != null);
    }

    private static boolean is(
            ApprovalRequestBody.Option option, ApprovalScope scope, GrantShape shape) {
        return option.granted()
                && same(option.scope(), scope.name())
                && (scope == ApprovalScope.ONCE || same(option.shape(), shape.name()));
    }

    private static boolean same(String word, String name) {
        return word.equalsIgnoreCase(name);
    }

    private static String offers(ApprovalRequestBody question) {
        List<String> offers = new ArrayList<>();
        for (ApprovalRequestBody.Option option : question.prompt().options()) {
            if (option.granted()) {
                offers.add(words(option.scope(), option.shape()));
            }
        }
        return offers.isEmpty() ? "no yes at all" : String.join(", ", offers);
    }

    private static String words(String scope, String shape) {
        String reach = scope.toLowerCase(Locale.ROOT);
        return same(scope, ApprovalScope.ONCE.name())
                ? reach
                : reach + " (" + shape.toLowerCase(Locale.ROOT) + ")";
    }

    private static String onceOnlyText(ApprovalRequestBody question) {
        return question.call() == null ? "" : question.call().onceOnly();
    }

    private static String onceOnly(ApprovalRequestBody question) {
        String why = onceOnlyText(question);
        if (!why.isEmpty()) {
            return " It cannot be allowed for longer: " + why + (why.endsWith(".") ? "" : ".");
        }
        return question.terms().scopes().size() > 1
                ? ""
                : " The policies allow an answer for one call alone.";
    }
}
