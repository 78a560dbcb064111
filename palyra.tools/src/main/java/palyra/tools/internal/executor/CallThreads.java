package palyra.tools.internal.executor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/**
 * Gives each call a platform thread of its own that ends with it. Not virtual threads: a tool may
 * run any code, and one that computes or sits in native code would hold a carrier that every model
 * stream needs. Not pooled threads: an interrupt, a thread local or a hung tool of one call must
 * never reach the next. The {@link CallRegistry} bounds their number, hung ones included.
 * Thread-safe.
 */
final class CallThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);

    private final CallRegistry registry;
    private final CallMetrics metrics;
    private final OutcomeDelivery outcomeDelivery;
    private final SupervisedTimer clock =
            new SupervisedTimer(LoopSpec.of("palyra-tools-clock", "palyra.tools"));
    private volatile ToolsSettings settings;

    CallThreads(
            CallRegistry registry,
            CallMetrics metrics,
            OutcomeDelivery outcomeDelivery,
            ToolsSettings settings) {
        this.registry = registry;
        this.metrics = metrics;
        this.outcomeDelivery = outcomeDelivery;
        this.settings = settings;
    }

    void use(ToolsSettings changed) {
        settings = changed;
    }

    ToolsSettings settings() {
        return settings;
    }

    /** Starts a call that the ledger has admitted. */
    void launch(Call call, long deadlineMillis) {
        long left =
                Math.min(
                        call.offer().descriptor().timeoutMillis(),
                        deadlineMillis - System.currentTimeMillis());
        if (left <= 0) {
            call.stop(Outcome.TIMED_OUT);
        } else {
            watch(call, () -> stop(call, Outcome.TIMED_OUT), left);
        }
        try {
            call.startOn(thread(call));
        } catch (OutOfMemoryError e) { // the system has no thread left to give
            call.end(Outcomes.notBegun(call));
            registry.revoke(call);
            call.release();
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Call "
                            + call.callId()
                            + " was not started: the system cannot create another thread; try"
                            + " again later.",
                    e);
        }
    }

    private Thread thread(Call call) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("palyra-tool-" + call.callId())
                .unstarted(() -> run(call));
    }

    private void watch(Call call, Runnable whenTimeIsUp, long millis) {
        call.watchedBy(clock.after(millis, TimeUnit.MILLISECONDS, whenTimeIsUp));
    }

    private void run(Call call) {
        try {
            ToolOutcome outcome =
                    call.begin()
                            .map(order -> execute(call, order))
                            .orElseGet(() -> Outcomes.notBegun(call));
            end(call, outcome).ifPresent(OutcomeDelivery::deliver);
        } finally {
            registry.released(call);
            call.release();
        }
    }

    private static ToolOutcome execute(Call call, ToolOrder order) {
        Tool tool = call.offer().tool();
        Thread.currentThread().setContextClassLoader(tool.getClass().getClassLoader());
        try {
            return tool instanceof ConfinedTool confined
                    ? Outcomes.confined(call, confined.run(order))
                    : Outcomes.returned(call, tool.execute(order.invocation()));
        } catch (Throwable e) { // also errors: a tool's missing class is the tool's failure
            if (!(e instanceof PalyraException)
                    && (e instanceof RuntimeException || e instanceof Error)) {
                LOG.warn("Tool {} has a defect", call.offer().descriptor().name(), e);
            }
            return Outcomes.threw(call, e);
        } finally {
            call.leaveTool();
        }
    }

    private Optional<Call.Delivery> end(Call call, ToolOutcome outcome) {
        Optional<Call.Delivery> delivery = call.end(outcome);
        if (delivery.isPresent()) {
            registry.ended(call);
            metrics.ended(call.offer().descriptor().name(), outcome.outcome());
        }
        return delivery;
    }

    /** Asks a call to stop, and gives it up when it does not obey in time. */
    void stop(Call call, Outcome why) {
        if (call.stop(why)) {
            watch(call, () -> abandon(call), settings.stopMillis());
        }
    }

    /** Tells the outcome of a call that does not obey; its thread stays counted until it ends. */
    private void abandon(Call call) {
        end(call, Outcomes.abandoned(call))
                .ifPresent(
                        delivery -> {
                            metrics.abandoned();
                            LOG.warn(
                                    "Call {} of tool {} does not stop; its thread is abandoned",
                                    call.callId(),
                                    call.offer().descriptor().name());
                            if (!outcomeDelivery.deliverLater(delivery)) {
                                LOG.warn(
                                        "The outcome of call {} is kept until it is requested",
                                        call.callId());
                            }
                        });
    }

    /** Ends calls: first they may end by themselves, then they are interrupted, then given up. */
    void windDown(List<Call> calls) {
        awaitCalls(calls, settings.drainMillis());
        calls.forEach(call -> stop(call, Outcome.INTERRUPTED));
        awaitCalls(calls, settings.stopMillis());
        calls.forEach(this::abandon); // those that have ended do not notice
    }

    private static void awaitCalls(List<Call> calls, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (Call call : calls) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0 || call.isOnThisThread()) {
                continue; // a tool that removes itself does not wait for itself
            }
            try {
                call.awaitRelease(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Returns how the clock is. */
    LoopView loop() {
        return clock.view();
    }

    /** Ends the clock; to be called when every call has its end. */
    void close() {
        clock.close();
    }
}
