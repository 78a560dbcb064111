package palyra.policy.internal.decide;

import java.util.List;
import java.util.Set;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.PolicyAnswer.Confirmation;
import palyra.api.core.access.PolicyAnswer.Outcome;
import palyra.policy.internal.set.Snapshot;

/**
 * Decides by the compiled engine alone: no native code, no confirmation, no record. Stateless.
 *
 * <p>A tool call is evaluated with the approval as it is and, when that denies, once as if it were
 * granted. Whatever fails denies; nothing is thrown.
 */
public final class Decider {
    /** Denials that would be something else if conditions held. */
    private static final Set<String> BY_POLICIES = Set.of("policy.denied", "policy.not_permitted");

    /** Returns the answer; its confirmation is {@code NOT_NEEDED}. */
    public PolicyAnswer decide(Snapshot snapshot, Question question) {
        try {
            PolicyAnswer answer =
                    new Deliberation(
                                    snapshot,
                                    question,
                                    each -> snapshot.evaluator().decide(each.request(snapshot)))
                            .answer();
            return explained(snapshot, question, answer);
        } catch (RuntimeException | StackOverflowError e) {
            return new DecisionMessages(snapshot, question)
                    .failed("The decision failed: " + e.getClass().getSimpleName() + ".");
        }
    }

    private static PolicyAnswer explained(
            Snapshot snapshot, Question question, PolicyAnswer answer) {
        if (answer.outcome() != Outcome.DENY || !BY_POLICIES.contains(answer.reasonCode())) {
            return answer;
        }
        List<String> missing = Missing.conditions(snapshot, question.withApproval(true));
        return missing.isEmpty() ? answer : changed(answer, missing, answer.confirmation());
    }

    /** Returns the answer with other conditions and another confirmation. */
    static PolicyAnswer changed(
            PolicyAnswer answer, List<String> missing, Confirmation confirmation) {
        return new PolicyAnswer(
                answer.outcome(),
                answer.reasonCode(),
                answer.reason(),
                answer.operatorReason(),
                answer.policyIds(),
                missing,
                answer.approval(),
                answer.confinement(),
                confirmation,
                answer.setSha256(),
                answer.epoch(),
                answer.evidenceJson());
    }
}
