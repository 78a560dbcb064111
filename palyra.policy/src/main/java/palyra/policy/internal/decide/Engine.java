package palyra.policy.internal.decide;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Confirmation;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.policy.PolicyEngine;
import palyra.api.core.policy.PolicySetView;
import palyra.api.tool.ToolDescriptor;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.set.EngineSelector;
import palyra.policy.internal.set.Snapshot;

/**
 * Decides by the set in force. The compiled engine decides; the native engine must confirm
 * sensitive allows, and a sample of the other decisions is compared with it afterwards. After a
 * difference the native engine decides until {@link #restore}. Thread-safe; owns one thread.
 *
 * <p>When the native engine is present but does not confirm in time, and when it has to decide and
 * is absent, the request is not decided: POLICY_UNAVAILABLE.
 */
public final class Engine implements PolicyEngine, EngineSelector, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Supplier<Optional<Snapshot>> current;
    private final Supplier<String> absence;
    private final NativeEngineCheck check;
    private final Consumer<EngineDivergence> alarm;
    private final Counters counters = new Counters();
    private final AtomicReference<EngineDivergence> difference = new AtomicReference<>();
    private final AtomicLong preparedEpoch = new AtomicLong();
    private volatile ShadowComparison shadow;

    /**
     * Creates an engine.
     *
     * @param current returns the set in force, read once a decision; empty if absent
     * @param absence returns a sentence: why no set is in force, or what the loader waits for
     * @param check stays the caller's, who closes it after the engine
     * @param alarm is called on any thread at the first difference since {@link #restore}; must be
     *     quick and must not throw
     */
    public Engine(
            Supplier<Optional<Snapshot>> current,
            Supplier<String> absence,
            NativeEngineCheck check,
            EngineSettings settings,
            Consumer<EngineDivergence> alarm) {
        this.current = Objects.requireNonNull(current, "current");
        this.absence = Objects.requireNonNull(absence, "absence");
        this.check = Objects.requireNonNull(check, "check");
        this.alarm = Objects.requireNonNull(alarm, "alarm");
        this.shadow = new ShadowComparison(check, counters, settings, this::recordDivergence);
    }

    @Override
    public PolicyDecision decide(AccessRequest request) {
        return decide(snapshot(), PolicyRequest.of(request));
    }

    @Override
    public PolicyDecision decideTool(ToolPolicyRequest call) {
        return decide(snapshot(), PolicyRequest.of(call));
    }

    /** Decides any policy request by the set in force, as a new one. */
    public PolicyDecision decide(PolicyRequest request) {
        return decide(snapshot(), request);
    }

    @Override
    public Set<String> usableTools(ToolPolicyRequest call, List<ToolDescriptor> tools) {
        Snapshot snapshot = snapshot();
        if (lost() && !check.absence().isEmpty()) {
            return Set.of();
        }
        return UsableTools.usable(snapshot, call, tools);
    }

    @Override
    public PolicySetView current() {
        return snapshot().view();
    }

    private Snapshot snapshot() {
        Snapshot snapshot =
                current.get()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.POLICY_UNAVAILABLE, absence.get()));
        long epoch = snapshot.view().epoch();
        if (preparedEpoch.get() != epoch && preparedEpoch.getAndSet(epoch) != epoch) {
            check.prepareSoon(snapshot);
        }
        return snapshot;
    }

    private PolicyDecision decide(Snapshot snapshot, PolicyRequest request) {
        if (lost()) {
            return counters.count(decideByNativeEngine(snapshot, request));
        }
        PolicyDecision answer = Decider.decide(snapshot, request);
        if (answer.outcome() == Outcome.ALLOW && request.sensitive(snapshot)) {
            return counters.count(confirm(snapshot, request, answer));
        }
        shadow.offer(snapshot, request);
        return counters.count(answer);
    }

    private PolicyDecision confirm(
            Snapshot snapshot, PolicyRequest request, PolicyDecision answer) {
        Optional<CedarDecision> decided = ask(snapshot, request);
        if (decided.isEmpty()) {
            counters.unconfirmed.increment();
            return answer.withConfirmation(Confirmation.ABSENT);
        }
        NativeDecisions.difference(snapshot, request, decided.get())
                .ifPresent(this::recordDivergence);
        Decision confirmation = NativeDecisions.decision(snapshot, decided.get());
        if (confirmation.allowed() && !confirmation.forbidErred()) {
            counters.confirmed.increment();
            return answer.withConfirmation(Confirmation.CONFIRMED);
        }
        counters.refused.increment();
        return new DecisionMessages(snapshot, request).notConfirmed(answer, confirmation);
    }

    /** The native engine alone, after it was found to differ. */
    private PolicyDecision decideByNativeEngine(Snapshot snapshot, PolicyRequest request) {
        PolicyDecision answer =
                Decider.decide(
                        snapshot,
                        request,
                        each ->
                                NativeDecisions.decision(
                                        snapshot, ask(snapshot, each).orElseThrow(Engine::gone)));
        boolean confirms = answer.outcome() == Outcome.ALLOW && request.sensitive(snapshot);
        return answer.withConfirmation(confirms ? Confirmation.CONFIRMED : Confirmation.NOT_NEEDED);
    }

    private Optional<CedarDecision> ask(Snapshot snapshot, PolicyRequest request) {
        try {
            return check.ask(snapshot, request);
        } catch (CedarException e) {
            counters.refused.increment();
            throw new PalyraException(
                    ErrorCode.POLICY_UNAVAILABLE,
                    "The native policy engine has to confirm and did not answer. " + e.getMessage(),
                    e);
        }
    }

    private static PalyraException gone() {
        return new PalyraException(
                ErrorCode.POLICY_UNAVAILABLE,
                "The two policy engines differed, and the native one, which has decided since then,"
                        + " is absent. Start palyra.lib.cedar, or run palyra policy reload.");
    }

    private void recordDivergence(EngineDivergence found) {
        counters.differences.increment();
        if (difference.compareAndSet(null, found)) {
            LOG.error(
                    "The policy engines differ and the native one decides from now on. {}",
                    found.sentence());
            alarm.accept(found);
        }
    }

    /** Changes the settings; decisions under way are not disturbed. */
    public void configure(EngineSettings settings) {
        ShadowComparison before = shadow;
        shadow = new ShadowComparison(check, counters, settings, this::recordDivergence);
        before.close();
    }

    /** Returns the difference for which the native engine decides; empty if absent. */
    public Optional<EngineDivergence> difference() {
        return Optional.ofNullable(difference.get());
    }

    /** No alarm is raised. */
    @Override
    public void withdraw(EngineDivergence found) {
        difference.set(Objects.requireNonNull(found, "difference"));
    }

    @Override
    public void restore() {
        difference.set(null);
    }

    @Override
    public boolean lost() {
        return difference.get() != null;
    }

    /** Returns what it did so far. */
    public EngineCounts counts() {
        return counters.counts();
    }

    /** Ends the comparisons; decisions go on. */
    @Override
    public void close() {
        shadow.close();
    }
}
