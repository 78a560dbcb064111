package palyra.policy.internal.decide;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyAnswer;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.set.Snapshot;

/**
 * From evaluations to an answer, whichever engine evaluates. Without an approval a tool call that
 * is denied, or whose program is not known, is evaluated once more as if it had one; only forbids
 * that say so can be lifted.
 */
final class Deliberation {
    private final Snapshot snapshot;
    private final Question question;
    private final Function<Question, Decision> judge;
    private final DecisionMessages messages;

    /**
     * Prepares one.
     *
     * @param judge evaluates a question by the snapshot; what it throws is thrown on
     */
    Deliberation(Snapshot snapshot, Question question, Function<Question, Decision> judge) {
        this.snapshot = snapshot;
        this.question = question;
        this.judge = judge;
        this.messages = new DecisionMessages(snapshot, question);
    }

    /** Returns the answer. Annotations that cannot be read deny. */
    PolicyAnswer answer() {
        if (!known(snapshot, question)) {
            return messages.unknownAction();
        }
        Decision first = judge.apply(question);
        Optional<PolicyAnswer> failed = failure(first);
        if (failed.isPresent()) {
            return failed.get();
        }
        try {
            if (first.allowed()) {
                if (Interpreters.refused(question, first.permits())) {
                    return messages.interpreter(first.permits());
                }
                if (Interpreters.needsPerson(question, first.permits())) {
                    return withApproval(first, judge.apply(question.withApproval(true)));
                }
                return messages.allowed(first, Confinements.of(first.permits()));
            }
            if (!question.aboutTool() || question.approved()) {
                return messages.denied(first);
            }
            return withApproval(first, judge.apply(question.withApproval(true)));
        } catch (IllegalArgumentException e) {
            return messages.failed("An annotation failed: " + e.getMessage());
        }
    }

    /** Groups of actions have no dot in their names, and nobody can do a group. */
    static boolean known(Snapshot snapshot, Question question) {
        return question.action().id().indexOf('.') > 0
                && snapshot.schema().isAction(question.action());
    }

    private Optional<PolicyAnswer> failure(Decision decision) {
        if (!decision.failure().isEmpty()) {
            return Optional.of(messages.failed(decision.failure()));
        }
        return decision.forbidErred()
                ? Optional.of(messages.forbidFailed(decision))
                : Optional.empty();
    }

    private PolicyAnswer withApproval(Decision first, Decision second) {
        Optional<PolicyAnswer> failed = failure(second);
        if (failed.isPresent()) {
            return failed.get();
        }
        if (!second.allowed()) {
            return messages.deniedEvenApproved(first, second);
        }
        if (Interpreters.refused(question, second.permits())) {
            return messages.interpreter(second.permits());
        }
        List<Policy> fixed =
                first.forbids().stream().filter(f -> !ApprovalAnnotations.liftable(f)).toList();
        if (!fixed.isEmpty()) {
            return messages.notLiftable(fixed);
        }
        Optional<ApprovalTerms> terms = ApprovalAnnotations.of(first.forbids());
        if (terms.isEmpty()) {
            return messages.nobodyMayApprove(first);
        }
        return messages.approvalRequired(
                first, second, terms.get(), Confinements.of(second.permits()));
    }
}
