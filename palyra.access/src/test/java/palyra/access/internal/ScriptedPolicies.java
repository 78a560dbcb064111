package palyra.access.internal;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.policy.PolicyEngine;
import palyra.api.core.policy.PolicySetView;
import palyra.api.tool.ToolDescriptor;

/** A policy engine that says what a test wants. */
final class ScriptedPolicies implements PolicyEngine {
    static final String EVIDENCE = "{\"action\":\"a\",\"v\":1}";

    volatile Outcome outcome = Outcome.ALLOW;
    volatile Set<String> usable = Set.of();
    volatile RuntimeException failure;
    volatile int noSetFor; // so many questions find no set in force
    volatile int swapsLeft; // so many answers are followed by a swap
    volatile String evidence = EVIDENCE;
    volatile ToolPolicyRequest lastQuestion;
    volatile int asked;
    private volatile long epoch = 1;

    private synchronized void beforeAnswer() {
        asked++;
        if (failure != null) {
            throw failure;
        }
        if (noSetFor > 0) {
            noSetFor--;
            throw new PalyraException(ErrorCode.POLICY_UNAVAILABLE, "No set is in force.");
        }
    }

    private synchronized void afterAnswer() {
        if (swapsLeft > 0) {
            swapsLeft--;
            epoch++;
        }
    }

    String sha256() {
        return "set" + epoch;
    }

    @Override
    public PolicyDecision decide(AccessRequest request) {
        beforeAnswer();
        return answer("Nobody in your groups may do that.");
    }

    @Override
    public PolicyDecision decideTool(ToolPolicyRequest question) {
        beforeAnswer();
        lastQuestion = question;
        PolicyDecision answer = answer("This tool is not for this run.");
        afterAnswer();
        return answer;
    }

    private PolicyDecision answer(String reason) {
        boolean denied = outcome != Outcome.ALLOW;
        return new PolicyDecision(
                outcome,
                switch (outcome) {
                    case ALLOW -> "policy.allow";
                    case ALLOW_IF_APPROVED -> "policy.approval_required";
                    case DENY -> "policy.denied";
                },
                reason,
                "the operator reads this",
                List.of("first.policy", "second.policy"),
                denied ? List.of("context.approval.granted") : List.of(),
                outcome == Outcome.ALLOW_IF_APPROVED
                        ? Optional.of(
                                new ApprovalTerms(
                                        Set.of("group:approver"),
                                        false,
                                        1,
                                        Set.of(ApprovalScope.ONCE),
                                        1))
                        : Optional.empty(),
                Confinement.STRICTEST,
                PolicyDecision.Confirmation.NOT_NEEDED,
                sha256(),
                epoch,
                evidence);
    }

    @Override
    public Set<String> usableTools(ToolPolicyRequest question, List<ToolDescriptor> tools) {
        beforeAnswer();
        Set<String> names = new TreeSet<>(usable);
        names.add("palyra.never.offered");
        return names;
    }

    @Override
    public PolicySetView current() {
        beforeAnswer();
        return new PolicySetView(sha256(), epoch, 2, 1, "files", 1, "local-files");
    }
}
