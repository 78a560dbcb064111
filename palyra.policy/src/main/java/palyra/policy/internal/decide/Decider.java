package palyra.policy.internal.decide;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.set.Snapshot;

/**
 * Decides one policy request by one policy set, whichever engine evaluates. Without an approval a
 * tool call that is denied, or whose program is not known, is evaluated once more as if it were
 * approved; only forbids that say so can be lifted.
 */
public final class Decider {
    /** Denials that would be something else if conditions held. */
    private static final Set<String> BY_POLICIES = Set.of("policy.denied", "policy.not_permitted");

    private final Snapshot snapshot;
    private final PolicyRequest request;
    private final Function<PolicyRequest, Decision> engine;
    private final DecisionMessages messages;

    private Decider(
            Snapshot snapshot, PolicyRequest request, Function<PolicyRequest, Decision> engine) {
        this.snapshot = snapshot;
        this.request = request;
        this.engine = engine;
        this.messages = new DecisionMessages(snapshot, request);
    }

    /**
     * Decides by the compiled engine alone: no native code, no record. A failure of the engine
     * denies; nothing is thrown.
     *
     * @return the decision, with the missing conditions of a denial by policies; its confirmation
     *     is {@code NOT_NEEDED}
     */
    public static PolicyDecision decide(Snapshot snapshot, PolicyRequest request) {
        try {
            PolicyDecision answer = withoutMissing(snapshot, request);
            if (answer.outcome() != Outcome.DENY || !BY_POLICIES.contains(answer.reasonCode())) {
                return answer;
            }
            List<String> missing =
                    MissingConditions.conditions(snapshot, request.withApproval(true));
            return missing.isEmpty() ? answer : answer.withMissing(missing);
        } catch (RuntimeException | StackOverflowError e) {
            return new DecisionMessages(snapshot, request)
                    .failed("The decision failed: " + e.getClass().getSimpleName() + ".");
        }
    }

    /** Decides by the compiled engine; what it throws is thrown on, and no missing conditions. */
    static PolicyDecision withoutMissing(Snapshot snapshot, PolicyRequest request) {
        return decide(
                snapshot,
                request,
                each -> snapshot.evaluator().decide(each.cedarRequest(snapshot)));
    }

    /** Decides by an engine that evaluates a policy request; what it throws is thrown on. */
    static PolicyDecision decide(
            Snapshot snapshot, PolicyRequest request, Function<PolicyRequest, Decision> engine) {
        return new Decider(snapshot, request, engine).decide();
    }

    /** Annotations that cannot be read deny. */
    private PolicyDecision decide() {
        if (!known(snapshot, request)) {
            return messages.unknownAction();
        }
        Decision first = engine.apply(request);
        Optional<PolicyDecision> failed = failure(first);
        if (failed.isPresent()) {
            return failed.get();
        }
        try {
            if (first.allowed()) {
                if (InterpreterAnnotations.refused(request, first.permits())) {
                    return messages.interpreter(first.permits());
                }
                if (InterpreterAnnotations.needsPerson(request, first.permits())) {
                    return withApproval(first, engine.apply(request.withApproval(true)));
                }
                return messages.allowed(first, ConfinementAnnotations.of(first.permits()));
            }
            if (!request.isToolCall() || request.approved()) {
                return messages.denied(first);
            }
            return withApproval(first, engine.apply(request.withApproval(true)));
        } catch (IllegalArgumentException e) {
            return messages.failed("An annotation failed: " + e.getMessage());
        }
    }

    /** Returns whether the schema has the action; groups of actions have no dot in their names. */
    static boolean known(Snapshot snapshot, PolicyRequest request) {
        return request.action().id().indexOf('.') > 0
                && snapshot.schema().isAction(request.action());
    }

    private Optional<PolicyDecision> failure(Decision decision) {
        if (!decision.failure().isEmpty()) {
            return Optional.of(messages.failed(decision.failure()));
        }
        return decision.forbidErred()
                ? Optional.of(messages.forbidFailed(decision))
                : Optional.empty();
    }

    private PolicyDecision withApproval(Decision first, Decision second) {
        Optional<PolicyDecision> failed = failure(second);
        if (failed.isPresent()) {
            return failed.get();
        }
        if (!second.allowed()) {
            return messages.deniedEvenApproved(first, second);
        }
        if (InterpreterAnnotations.refused(request, second.permits())) {
            return messages.interpreter(second.permits());
        }
        List<Policy> fixed =
                first.forbids().stream().filter(f -> !ApprovalAnnotations.liftable(f)).toList();
        if (!fixed.isEmpty()) {
            return messages.notLiftable(fixed);
        }
        Optional<ApprovalTerms> terms = ApprovalAnnotations.of(first.forbids());
        if (terms.isEmpty()) {
            return messages.noCommonApprover(first);
        }
        return messages.approvalRequired(
                first, second, terms.get(), ConfinementAnnotations.of(second.permits()));
    }
}
