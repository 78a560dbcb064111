package palyra.shell.internal.approvals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalOutcome;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.ApprovalVote;
import palyra.api.approval.GrantShape;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.AnswerLimits;
import palyra.shared.approval.ApproverText;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Fields;

/** How questions and their answers are written for people. Pure. */
final class ApprovalText {
    private ApprovalText() {}

    /** Returns everything a person needs to answer, or to see how it was answered. */
    static Map<String, Object> forPerson(ApprovalView view, long nowMillis) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("approval", view.approvalId());
        fields.put("state", state(view, nowMillis));
        fields.put("question", EscapedText.line(view.prompt().title()));
        fields.put("risk", view.prompt().risk().name());
        fields.put("what", EscapedText.block(view.prompt().summary()));
        fields.putAll(ApprovalDetails.of(view).facts());
        fields.put("why", EscapedText.block(view.prompt().policyExplanation()));
        fields.put("policy", policy(view));
        fields.put("for", asker(view));
        fields.put("call", view.callId());
        fields.put("session", view.origin().sessionId());
        fields.put("asked", Words.time(view.createdAtMillis()));
        fields.put("expires", Words.time(view.expiresAtMillis()));
        fields.put("whoMayAnswer", who(view));
        fields.put("options", options(view));
        if (!view.votes().isEmpty()) {
            fields.put("votes", view.votes().stream().map(vote -> vote(view, vote)).toList());
        }
        if (view.state() != ApprovalState.PENDING) {
            fields.put("outcome", outcome(view));
        }
        return fields;
    }

    /** Returns the same for programs, whole. */
    static Map<String, Object> forProgram(ApprovalView view) {
        return Fields.of(
                "approvalId", view.approvalId(),
                "state", view.state().name(),
                "subject", view.subject().name(),
                "subjectId", view.subjectId(),
                "requestSummary", view.requestSummary(),
                "origin", view.origin(),
                "prompt", prompt(view),
                "details", ApprovalDetails.of(view).json(),
                "policy", view.policy(),
                "approvers", view.approvers(),
                "quorum", view.quorum(),
                "votes", view.votes(),
                "createdAtMillis", view.createdAtMillis(),
                "expiresAtMillis", view.expiresAtMillis(),
                "notices", view.notices(),
                "escalated", view.escalated(),
                "outcome", view.outcome());
    }

    private static Map<String, Object> prompt(ApprovalView view) {
        return Fields.of(
                "title", view.prompt().title(),
                "risk", view.prompt().risk().name(),
                "summary", view.prompt().summary(),
                "policyExplanation", view.prompt().policyExplanation(),
                "timeoutSeconds", view.prompt().timeoutSeconds(),
                "options", view.prompt().options());
    }

    private static String state(ApprovalView view, long nowMillis) {
        if (view.state() != ApprovalState.PENDING) {
            return view.state().name();
        }
        return "PENDING, "
                + view.votes().size()
                + " of "
                + view.quorum()
                + " said yes, expires in "
                + Words.duration(view.expiresAtMillis() - nowMillis)
                + (view.escalated() ? ", escalated" : "");
    }

    private static String policy(ApprovalView view) {
        if (view.policy().policyId().isEmpty()) {
            return EscapedText.line(view.policy().summary());
        }
        return EscapedText.line(view.policy().policyId())
                + " of set "
                + Words.brief(view.policy().policySha256(), 12);
    }

    /** Returns on whose behalf, by which agent and channel. */
    static String asker(ApprovalView view) {
        String channel = view.origin().channel();
        return EscapedText.line(
                view.origin().principal()
                        + (view.runId().isEmpty() ? "" : ", agent " + view.origin().agentId())
                        + (channel.isEmpty() ? "" : ", by " + channel));
    }

    /** Returns who may answer, and how many of them have to. */
    static String who(ApprovalView view) {
        String who = ApproverText.words(view.approvers(), view.quorum());
        return EscapedText.line(
                ApprovalDetails.of(view).others() ? who + "; not " + notWho(view) : who);
    }

    private static String notWho(ApprovalView view) {
        String person = ApprovalDetails.of(view).person();
        return person.isEmpty() || person.equals(view.origin().principal())
                ? view.origin().principal()
                : view.origin().principal() + " or " + person;
    }

    private static List<String> options(ApprovalView view) {
        List<String> lines = new ArrayList<>();
        for (ApprovalOption option : view.prompt().options()) {
            lines.add(option(option) + "  [" + flags(option) + "]");
        }
        return lines;
    }

    /** Returns an option with what it would cover. */
    static String option(ApprovalOption option) {
        String label = EscapedText.line(option.label());
        String means = EscapedText.line(option.description());
        return means.isEmpty() ? label : label + ": " + means;
    }

    /** Returns what chooses an option on the command line. */
    private static String flags(ApprovalOption option) {
        if (!option.granted()) {
            return "--deny";
        }
        String scope = option.scope() == ApprovalScope.ONCE ? "" : " --scope " + word(option);
        String pattern = option.shape() == GrantShape.PATTERN ? " --pattern" : "";
        String time = option.ttlMillis() > 0 ? " --for " + option.ttlMillis() / 60_000 + "m" : "";
        return "--allow" + scope + time + pattern + limits(option);
    }

    /** Returns what may be chosen beside an option. */
    private static String limits(ApprovalOption option) {
        if (option.scope() == ApprovalScope.ONCE) {
            return "";
        }
        String uses = "--uses N for N calls at most";
        return option.scope() == ApprovalScope.TIMEBOXED
                ? "; --for up to " + AnswerLimits.MOST_DAYS + "d, " + uses
                : "; " + uses;
    }

    private static String word(ApprovalOption option) {
        return option.scope().name().toLowerCase(Locale.ROOT);
    }

    private static String vote(ApprovalView view, ApprovalVote vote) {
        return EscapedText.line(
                vote.principal()
                        + " said yes, "
                        + reach(view, vote.scope(), vote.shape(), vote.ttlMillis(), vote.maxUses())
                        + ", "
                        + Words.time(vote.atMillis())
                        + (vote.reason().isEmpty() ? "" : ": " + vote.reason()));
    }

    /** Returns how a question ended, in a sentence. */
    static String outcome(ApprovalView view) {
        ApprovalOutcome outcome = view.outcome();
        String reason = outcome.reason().isEmpty() ? "" : ": " + outcome.reason();
        String text =
                switch (outcome.state()) {
                    case PENDING -> "no answer yet";
                    case GRANTED ->
                            outcome.decidedBy()
                                    + " said yes, "
                                    + reach(
                                            view,
                                            outcome.scope(),
                                            outcome.shape(),
                                            outcome.ttlMillis(),
                                            uses(view))
                                    + ", grant "
                                    + outcome.grantId()
                                    + reason;
                    case DENIED -> outcome.decidedBy() + " said no" + reason;
                    case EXPIRED -> "no answer in time, which means no";
                    case WITHDRAWN -> "the run ended first";
                };
        String when = Words.time(outcome.decidedAtMillis());
        return EscapedText.line(when.isEmpty() ? text : text + " (" + when + ")");
    }

    /** Returns how a question ended, as the tape has it. */
    static String outcome(TapeEvent.ApprovalDecision e) {
        String reason = e.reason().isEmpty() ? "" : ": " + e.reason();
        if (e.granted()) {
            String people =
                    e.approvedBy().isEmpty() ? e.decidedBy() : String.join(", ", e.approvedBy());
            return EscapedText.line(
                    people
                            + " said yes, "
                            + e.scope()
                            + (e.shape().isEmpty() ? "" : " " + e.shape())
                            + ", grant "
                            + e.grantId()
                            + reason);
        }
        return EscapedText.line(
                e.decidedBy().isEmpty()
                        ? "no answer in time, which means no"
                        : e.decidedBy() + " said no" + reason);
    }

    /** Returns the smallest number of calls of all votes; 0 for any number. */
    private static int uses(ApprovalView view) {
        return view.votes().stream()
                .mapToInt(ApprovalVote::maxUses)
                .filter(uses -> uses > 0)
                .min()
                .orElse(0);
    }

    /** Returns how far a yes reaches; {@code uses} 0 means any number of calls. */
    private static String reach(
            ApprovalView view, ApprovalScope scope, GrantShape shape, long ttlMillis, int uses) {
        if (view.subject() == ApprovalSubject.DEVICE_PAIRING) {
            return scope == ApprovalScope.ONCE
                    ? "until it is revoked"
                    : "for " + Words.duration(ttlMillis);
        }
        String calls = shape == GrantShape.PATTERN ? "for calls of the pattern" : "for equal calls";
        String most = uses == 0 ? "" : ", " + uses + " at most";
        return switch (scope) {
            case ONCE -> "once";
            case SESSION -> calls + " in this session" + most;
            case TIMEBOXED -> calls + " for " + Words.duration(ttlMillis) + most;
        };
    }

    /** Returns how to answer a question from anywhere. */
    static String elsewhere(String approvalId) {
        return "Answer it with: palyra approvals decide "
                + approvalId
                + " --allow (or --deny --reason TEXT); all about it: palyra approvals show "
                + approvalId;
    }
}
