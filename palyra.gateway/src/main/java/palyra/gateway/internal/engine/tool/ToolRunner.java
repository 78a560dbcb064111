package palyra.gateway.internal.engine.tool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunOrigin;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.run.WorkerStopped;
import palyra.gateway.internal.seam.ToolExecutors;
import palyra.shared.fold.Call;
import palyra.shared.secrets.Placeholder;
import palyra.shared.tool.FactsDigest;

/**
 * Runs started calls to their end, several at a time. Used by one worker; sleeps in its mailbox
 * only.
 */
final class ToolRunner {
    private static final long LEFT_MILLIS = 10_000;
    private static final long GRACE_MILLIS = 10_000;
    private static final long STOP_MILLIS = 10_000;
    private static final long SLICE_MILLIS = 50;

    /** Digest of the facts of a call that says nothing about the world outside. */
    private static final String NO_FACTS = FactsDigest.of(CallFacts.none());

    private final ToolExecutors executors;
    private final Mailbox mailbox;
    private final WorkerFlags flags;
    private final RunOrigin origin;
    private final Runnable confirm;

    /**
     * Creates a runner.
     *
     * @param origin under which the run was started
     * @param confirm returns when this engine may start a call, throws Halt when it may not
     */
    ToolRunner(
            ToolExecutors executors,
            Mailbox mailbox,
            WorkerFlags flags,
            RunOrigin origin,
            Runnable confirm) {
        this.executors = executors;
        this.mailbox = mailbox;
        this.flags = flags;
        this.origin = origin;
        this.confirm = confirm;
    }

    /** A call whose start is on the tape. */
    record Started(Call call, ToolDescriptor descriptor) {
        long timeoutMillis() {
            return descriptor == null ? GRACE_MILLIS : descriptor.timeoutMillis();
        }
    }

    /**
     * Starts calls and waits for them; one outcome for each, in the same order. Throws Halt when
     * the engine stops.
     *
     * @param patienceMillis how long a tool that left meanwhile, or room for the call, is waited
     *     for
     */
    List<ToolOutcome> start(RunContext run, List<Started> calls, long patienceMillis) {
        Map<String, ToolOutcome> done = new HashMap<>();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        for (Started one : calls) {
            if (Placeholder.isIn(one.call().proposal().inputJson())) {
                done.put(one.call().callId(), notStarted(one.call(), Refusals.WITH_PLACEHOLDER));
                continue;
            }
            try {
                begin(run, one, deadline);
            } catch (PalyraException e) {
                done.put(one.call().callId(), notStarted(one.call(), e.getMessage()));
            }
        }
        return await(calls, done);
    }

    /**
     * Starts a call, trying again while its tool is away or the executor has no room: a refused
     * start started nothing.
     */
    private void begin(RunContext run, Started one, long deadline) {
        while (true) {
            confirm.run(); // time has passed since the start was recorded
            try {
                executors.start(order(run, one), this::deliver);
                return;
            } catch (PalyraException e) {
                boolean passing =
                        e.code() == ErrorCode.TOOL_UNAVAILABLE
                                || e.code() == ErrorCode.JOURNAL_UNAVAILABLE
                                || e.code() == ErrorCode.RESOURCE_EXHAUSTED;
                if (!passing || flags.raised() || System.nanoTime() >= deadline) {
                    throw e;
                }
            }
            AvailableTools.pause();
        }
    }

    private ToolOrder order(RunContext run, Started one) {
        TapeEvent.ToolDecision decision = one.call().decision();
        return new ToolOrder(
                one.call().proposal().tool(),
                invocation(run, one),
                run.agent().agentId(),
                origin.read(SLICE_MILLIS).groups(),
                confinement(decision),
                factsSha256(decision),
                one.call().allowedByPerson());
    }

    /** Returns the digest that an executor has to find again; never empty. */
    private static String factsSha256(TapeEvent.ToolDecision decision) {
        return decision == null || decision.factsSha256().isEmpty()
                ? NO_FACTS
                : decision.factsSha256();
    }

    /** Returns where a call must run; the strictest there is when the decision does not say. */
    private static Confinement confinement(TapeEvent.ToolDecision decision) {
        if (decision == null || decision.tier().isEmpty() || decision.egress().isEmpty()) {
            return Confinement.STRICTEST;
        }
        try {
            return new Confinement(
                    Confinement.Tier.valueOf(decision.tier()),
                    Confinement.Egress.valueOf(decision.egress()));
        } catch (IllegalArgumentException e) {
            return Confinement.STRICTEST; // written by an engine that knows others
        }
    }

    private static ToolInvocation invocation(RunContext run, Started one) {
        return new ToolInvocation(
                one.call().callId(),
                one.call().attempt(),
                run.runId(),
                run.sessionId(),
                run.principal(),
                one.call().proposal().inputJson(),
                System.currentTimeMillis() + one.timeoutMillis());
    }

    /**
     * Finds out about calls that were started before, by this engine or another, and waits for
     * those that still run.
     */
    List<ToolOutcome> recover(RunContext run, List<Started> calls) {
        Map<String, ToolOutcome> done = new HashMap<>();
        for (Started one : calls) {
            Call call = one.call();
            switch (executors.attach(call.callId(), call.attempt(), this::deliver)) {
                case ToolLookup.Running ignored -> {}
                case ToolLookup.Done ended -> done.put(call.callId(), ended.outcome());
                case ToolLookup.Unknown ignored ->
                        done.put(call.callId(), interrupted(call, leftBy(run, call)));
            }
        }
        return await(calls, done);
    }

    private void deliver(ToolOutcome outcome) {
        mailbox.urgent(new Mailbox.FromTool(outcome));
    }

    private List<ToolOutcome> await(List<Started> calls, Map<String, ToolOutcome> done) {
        Set<String> wanted = new TreeSet<>();
        calls.forEach(one -> wanted.add(one.call().callId()));
        wanted.removeAll(done.keySet());
        long longest = calls.stream().mapToLong(Started::timeoutMillis).max().orElse(0);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longest + GRACE_MILLIS);
        boolean cancelled = false;
        while (!wanted.isEmpty() && System.nanoTime() < deadline) {
            if (flags.stopping()) {
                throw new WorkerStopped("the engine stops; the executor keeps the calls");
            }
            if (flags.cancelling() && !cancelled) {
                cancelled = true;
                wanted.forEach(executors::cancel);
                deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
            }
            if (mailbox.take(deadline - System.nanoTime()) instanceof Mailbox.FromTool from
                    && wanted.remove(from.outcome().callId())) {
                done.put(from.outcome().callId(), from.outcome());
            }
        }
        return inOrder(calls, done);
    }

    private List<ToolOutcome> inOrder(List<Started> calls, Map<String, ToolOutcome> done) {
        List<ToolOutcome> outcomes = new ArrayList<>();
        for (Started one : calls) {
            ToolOutcome outcome = done.get(one.call().callId());
            if (outcome == null) {
                executors.cancel(one.call().callId());
                outcome = interrupted(one.call(), "");
            }
            outcomes.add(outcome);
        }
        return outcomes;
    }

    /** After a crash the tool may come later than the engine; it is waited for, not for long. */
    private String leftBy(RunContext run, Call call) {
        try {
            executors.find(call.proposal().tool(), LEFT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
        String left =
                executors.leftBy(
                        call.proposal().tool(),
                        run.agent().agentId(),
                        call.callId(),
                        call.attempt());
        return left.isEmpty() ? "" : " " + left;
    }

    private static ToolOutcome interrupted(Call call, String left) {
        return ended(
                call,
                Outcome.INTERRUPTED,
                "The call was started and then lost; whether it took effect is not known. It was"
                        + " not repeated."
                        + left);
    }

    private static ToolOutcome notStarted(Call call, String why) {
        return ended(call, Outcome.FAILED, "The call was not started: " + why);
    }

    private static ToolOutcome ended(Call call, Outcome outcome, String error) {
        long now = System.currentTimeMillis();
        return new ToolOutcome(
                call.callId(), call.attempt(), outcome, "{}", error, "none", "none", "", now, now);
    }

    /** Returns the record of an outcome. */
    static TapeEvent.ToolCallOutput record(Call call, ToolOutcome outcome) {
        return new TapeEvent.ToolCallOutput(
                call.callId(),
                outcome.attempt(),
                call.proposal().tool(),
                outcome.outcome(),
                outcome.outputJson(),
                outcome.error(),
                outcome.images());
    }
}
