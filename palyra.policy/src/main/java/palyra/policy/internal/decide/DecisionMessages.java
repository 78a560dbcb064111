package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Confirmation;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Effect;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.cedar.PolicyError;
import palyra.policy.internal.set.Snapshot;

/** Turns a decision into an answer, with one message for the caller and one for operators. */
final class DecisionMessages {
    private static final String UNKNOWN_PROGRAM =
            " Its program is not known (!unknown), so it may start any other: without a person one of"
                    + " these permits needs @allow_interpreters(\"true\"), and none may have"
                    + " \"false\".";

    private final Snapshot snapshot;
    private final PolicyRequest request;

    DecisionMessages(Snapshot snapshot, PolicyRequest request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    PolicyDecision allowed(Decision decision, Confinement confinement) {
        return answer(
                Outcome.ALLOW,
                "policy.allow",
                "The policies allow " + what() + ".",
                sentences("Permitted", decision.permits(), decision),
                names(decision.permits()),
                Optional.empty(),
                confinement);
    }

    PolicyDecision approvalRequired(
            Decision first, Decision second, ApprovalTerms terms, Confinement confinement) {
        List<Policy> why = first.forbids().isEmpty() ? second.permits() : first.forbids();
        return answer(
                Outcome.ALLOW_IF_APPROVED,
                "policy.approval_required",
                "A person has to approve "
                        + what()
                        + " first"
                        + (first.allowed() ? ": nothing says what its program starts." : "."),
                waiting(why) + errors(first) + (first.allowed() ? UNKNOWN_PROGRAM : ""),
                names(why),
                Optional.of(terms),
                confinement);
    }

    PolicyDecision denied(Decision decision) {
        return decision.forbids().isEmpty()
                ? denial(
                        "policy.not_permitted",
                        "No policy permits " + what() + ".",
                        sentences("No permit is satisfied", List.of(), decision),
                        List.of())
                : denial(
                        "policy.denied",
                        "A policy forbids " + what() + ".",
                        sentences("Forbidden", decision.forbids(), decision),
                        decision.forbids());
    }

    PolicyDecision deniedEvenApproved(Decision first, Decision second) {
        PolicyDecision asItIs = denied(first);
        String then =
                second.forbids().isEmpty()
                        ? sentences("With an approval no permit is satisfied", List.of(), second)
                        : sentences("Forbidden even with an approval", second.forbids(), second);
        return denial(
                asItIs.reasonCode(),
                asItIs.reason(),
                asItIs.operatorReason() + " " + then,
                first.forbids());
    }

    PolicyDecision notLiftable(List<Policy> forbids) {
        return denial(
                "policy.denied",
                "A policy forbids " + what() + ".",
                list("Forbidden", forbids)
                        + " An approval would satisfy it, but only a forbid with @approval(\"…\")"
                        + " can be lifted by one.",
                forbids);
    }

    /** Permitted as a call, but not for an interpreter. */
    PolicyDecision interpreter(List<Policy> permits) {
        return denial(
                "policy.interpreter",
                "No policy allows interpreters (shells too), or programs that start others, for "
                        + what()
                        + profile()
                        + ".",
                list("Permitted without interpreters", permits)
                        + " One of them needs @allow_interpreters(\"true\"), and none may have"
                        + " \"false\".",
                permits);
    }

    /** Names the agent's profile, and the shipped one that lets interpreters run. */
    private String profile() {
        return request.agentId()
                .map(
                        agent ->
                                ". Run a program by itself, without a shell, or ask an operator for"
                                        + " the profile that allows them inside the sandbox: palyra"
                                        + " agents update "
                                        + agent
                                        + " --profile coding")
                .orElse("");
    }

    PolicyDecision noCommonApprover(Decision decision) {
        return denial(
                "approval.nobody",
                "No person may approve " + what() + ".",
                list("Forbidden without an approval", decision.forbids())
                        + " Their @approvers have no person in common.",
                decision.forbids());
    }

    PolicyDecision forbidFailed(Decision decision) {
        List<Policy> failed =
                decision.errors().stream()
                        .map(PolicyError::policy)
                        .filter(policy -> policy.effect() == Effect.FORBID)
                        .toList();
        return denial(
                "policy.forbid_failed",
                "A policy that may forbid " + what() + " could not be evaluated.",
                "A forbid that fails denies." + errors(decision),
                failed);
    }

    PolicyDecision failed(String why) {
        return denial(
                "policy.failed",
                "The policies could not be evaluated about " + what() + ".",
                why,
                List.of());
    }

    PolicyDecision unknownAction() {
        return denial(
                "policy.unknown_action",
                "No policy knows the action " + request.action().id() + ".",
                "The schema has no such action, so it is denied to every caller.",
                List.of());
    }

    /** The native engine denies what the compiled one allows. */
    PolicyDecision notConfirmed(PolicyDecision allowed, Decision heard) {
        PolicyDecision denial =
                denial(
                        "policy.not_confirmed",
                        "The second policy engine does not confirm " + what() + ".",
                        list(
                                        "The native engine denies what the compiled one allows",
                                        heard.forbids())
                                + " "
                                + allowed.operatorReason(),
                        heard.forbids());
        return denial.withConfirmation(Confirmation.REFUSED);
    }

    private PolicyDecision denial(
            String code, String reason, String operatorReason, List<Policy> policies) {
        return answer(
                Outcome.DENY,
                code,
                reason,
                operatorReason,
                names(policies),
                Optional.empty(),
                Confinement.STRICTEST);
    }

    private PolicyDecision answer(
            Outcome outcome,
            String code,
            String reason,
            String operatorReason,
            List<String> policies,
            Optional<ApprovalTerms> terms,
            Confinement confinement) {
        return new PolicyDecision(
                outcome,
                code,
                reason,
                operatorReason,
                policies,
                List.of(),
                terms,
                confinement,
                Confirmation.NOT_NEEDED,
                snapshot.view().sha256(),
                snapshot.view().epoch(),
                request.evidenceJson());
    }

    private String what() {
        return request.isToolCall()
                ? "this call of " + request.resource().id()
                : request.principal().id() + " to do " + request.action().id();
    }

    private List<String> names(List<Policy> policies) {
        return policies.stream().map(snapshot::name).distinct().toList();
    }

    private String sentences(String what, List<Policy> policies, Decision decision) {
        return list(what, policies) + errors(decision);
    }

    private String list(String what, List<Policy> policies) {
        if (policies.isEmpty()) {
            return what + ".";
        }
        List<String> parts = policies.stream().map(this::part).toList();
        return what + " by " + String.join("; ", parts) + ".";
    }

    /** What a person reads who is to answer: the reasons first, then which policies ask. */
    private String waiting(List<Policy> policies) {
        List<String> reasons =
                policies.stream()
                        .flatMap(
                                policy ->
                                        Stream.of("reason", ApprovalAnnotations.APPROVAL)
                                                .map(policy.annotations()::get))
                        .filter(text -> text != null && !text.isEmpty())
                        .map(text -> unpointed(text) + ". ")
                        .distinct()
                        .toList();
        List<String> names =
                policies.stream()
                        .map(policy -> named(policy, place(policy).stream().toList()))
                        .toList();
        return String.join("", reasons)
                + "Waits for an approval"
                + (names.isEmpty() ? "" : " by " + String.join("; ", names))
                + ".";
    }

    private String part(Policy policy) {
        String reason = policy.annotations().getOrDefault("reason", "");
        String said = policy.annotations().getOrDefault(ApprovalAnnotations.APPROVAL, "");
        List<String> details = new ArrayList<>();
        place(policy).ifPresent(details::add);
        if (!reason.isEmpty()) {
            details.add(unpointed(reason));
        }
        if (!said.isEmpty()) {
            details.add("asks: " + said);
        }
        return named(policy, details);
    }

    private Optional<String> place(Policy policy) {
        return Optional.ofNullable(snapshot.origins().get(policy.id()))
                .map(origin -> origin.file() + ":" + origin.line());
    }

    private String named(Policy policy, List<String> details) {
        String name = snapshot.name(policy);
        return details.isEmpty() ? name : name + " (" + String.join(", ", details) + ")";
    }

    private static String unpointed(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private String errors(Decision decision) {
        StringBuilder text = new StringBuilder();
        for (PolicyError error : decision.errors()) {
            text.append(" Policy ")
                    .append(snapshot.name(error.policy()))
                    .append(" failed: ")
                    .append(unpointed(error.message()))
                    .append('.');
        }
        return text.toString();
    }
}
