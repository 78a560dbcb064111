package palyra.access.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.policy.PolicyEngine;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;

/**
 * Calls the policy engine. While it is absent, or has no set in force, an action waits a little and
 * is then not decided; a tool call waits shorter, because its caller has a patience of its own.
 */
final class PolicyRules implements Rules {
    /** How long an action waits for the policy engine, in milliseconds. */
    static final long ACTION_MILLIS = 2_000;

    /**
     * How long after its start the front waits for the first policies, in milliseconds: they are
     * read and checked beside the start of everything else, and callers at that time are not
     * refused.
     */
    static final long START_MILLIS = 15_000;

    /** How long a tool call waits each time it is asked about, in milliseconds. */
    static final long TOOL_MILLIS = 250;

    private static final long RETRY_MILLIS = 25;
    private static final int TRIES = 3;

    private final Gate<PolicyEngine> engine;
    private final long startNanos = System.nanoTime();
    private final long startMillis;
    private volatile boolean decided;

    /**
     * Creates rules that ask an engine.
     *
     * @param startMillis until when, from now, actions wait for the first policies
     */
    PolicyRules(Gate<PolicyEngine> engine, long startMillis) {
        this.engine = engine;
        this.startMillis = startMillis;
    }

    @Override
    public DecisionSource source() {
        return DecisionSource.POLICY;
    }

    @Override
    public boolean isPresent() {
        return engine.isPresent();
    }

    @Override
    public Optional<String> whyUnavailable() {
        try (Gate.Lease<PolicyEngine> lease = engine.lease(0)) {
            lease.service().current();
            return Optional.empty();
        } catch (PalyraException e) {
            return Optional.of(
                    engine.isPresent() ? e.getMessage() : "The policy engine is absent.");
        }
    }

    @Override
    public AccessDecision decide(AccessRequest request) {
        try {
            PolicyDecision answer = ask(patienceMillis(), present -> present.decide(request));
            decided = true;
            return decision(answer);
        } catch (PalyraException e) {
            if (e.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
                return new AccessDecision.NoDecision(
                        engine.isPresent() ? e.getMessage() : "the policy engine is absent");
            }
            throw e;
        }
    }

    private long patienceMillis() {
        long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        return decided ? ACTION_MILLIS : Math.max(ACTION_MILLIS, startMillis - since);
    }

    private static AccessDecision decision(PolicyDecision answer) {
        String ids =
                answer.policyIds().isEmpty()
                        ? answer.reasonCode()
                        : String.join(", ", answer.policyIds());
        return switch (answer.outcome()) {
            case ALLOW -> new AccessDecision.Allow(ids, answer.reason(), Optional.of(answer));
            case DENY -> new AccessDecision.Deny(ids, answer.reason(), Optional.of(answer));
            case ALLOW_IF_APPROVED ->
                    new AccessDecision.Deny(
                            ids,
                            "it needs an approval"
                                    + answer.approval().map(PolicyRules::by).orElse("")
                                    + ", and for an action none can be asked for",
                            Optional.of(answer));
        };
    }

    private static String by(ApprovalTerms terms) {
        return " by " + String.join(" or ", new TreeSet<>(terms.approvers()));
    }

    @Override
    public ToolCallDecision decideTool(ToolPolicyRequest question) {
        return ToolCallDecision.of(ask(TOOL_MILLIS, present -> present.decideTool(question)));
    }

    /** Names and digest are of one set: a swap in between is noticed, and asked about again. */
    @Override
    public Usable usableTools(ToolPolicyRequest question) {
        List<ToolDescriptor> known = known(question);
        for (int i = 0; i < TRIES; i++) {
            String before = ask(TOOL_MILLIS, present -> present.current().sha256());
            Set<String> names =
                    known.isEmpty()
                            ? Set.of()
                            : ask(TOOL_MILLIS, present -> present.usableTools(question, known));
            if (before.equals(ask(TOOL_MILLIS, present -> present.current().sha256()))) {
                return new Usable(among(known, names), before);
            }
        }
        throw replacedTooOften();
    }

    private static List<ToolDescriptor> known(ToolPolicyRequest question) {
        Map<String, ToolDescriptor> known = new LinkedHashMap<>();
        question.offered().forEach(tool -> known.put(tool.name(), tool));
        if (question.descriptor() != null) {
            known.putIfAbsent(question.descriptor().name(), question.descriptor());
        }
        known.keySet().retainAll(question.agentTools());
        return new ArrayList<>(known.values());
    }

    private static SortedSet<String> among(List<ToolDescriptor> known, Set<String> names) {
        SortedSet<String> usable = new TreeSet<>();
        for (ToolDescriptor tool : known) {
            if (names.contains(tool.name())) {
                usable.add(tool.name());
            }
        }
        return usable;
    }

    /** Returns the failure of a request during which the policy set was replaced repeatedly. */
    static PalyraException replacedTooOften() {
        return new PalyraException(
                ErrorCode.POLICY_UNAVAILABLE,
                "The policy set was replaced repeatedly during the decision; try again.");
    }

    private <R> R ask(long millis, Function<PolicyEngine, R> question) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            try (Gate.Lease<PolicyEngine> lease = engine.lease(Math.max(0, left))) {
                return question.apply(lease.service());
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.POLICY_UNAVAILABLE || left <= RETRY_MILLIS) {
                    throw e;
                }
            }
            pause();
        }
    }

    /** Outside the lease: an engine without a set must be free to leave. */
    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.POLICY_UNAVAILABLE, "The wait for a decision was interrupted.", e);
        }
    }
}
