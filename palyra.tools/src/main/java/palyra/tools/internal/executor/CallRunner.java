package palyra.tools.internal.executor;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.CallFacts;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;

/**
 * What can be asked about calls: start, attach, cancel, forget; and what happens to them when a
 * tool or the executor itself leaves. Thread-safe.
 */
final class CallRunner {
    private static final String INPUT_INVALID = "tool.input_invalid";

    private final ToolRegistry toolRegistry;
    private final CallRegistry registry = new CallRegistry();
    private final CallMetrics metrics = new CallMetrics();
    private final OutcomeDelivery outcomeDelivery = new OutcomeDelivery();
    private final CallThreads threads;

    CallRunner(ToolRegistry toolRegistry, ToolsSettings settings) {
        this.toolRegistry = toolRegistry;
        threads = new CallThreads(registry, metrics, outcomeDelivery, settings);
    }

    void use(ToolsSettings changed) {
        threads.use(changed);
    }

    /** Starts a call, or attaches to it. */
    void start(ToolOrder order, Consumer<ToolOutcome> sink) {
        ToolInvocation invocation = order.invocation();
        Require.present(sink, "the sink of call " + invocation.callId());
        try {
            CallRegistry.Admission admission =
                    registry.admit(
                            invocation.callId(),
                            invocation.attempt(),
                            threads.settings(),
                            () -> make(order, sink));
            if (admission.isNew()) {
                threads.launch(admission.call(), invocation.deadlineMillis());
            } else {
                attachAgain(admission.call(), sink);
            }
        } catch (PalyraException e) {
            metrics.refused();
            throw e;
        }
    }

    /** Looks at a proposed call; a confined tool's own code runs on the calling thread. */
    ToolExamination examine(ToolProposed proposed) {
        ToolRegistry.Offer offer = offer(proposed.toolName());
        return offer.tool() instanceof ConfinedTool confined
                ? Require.present(
                        confined.examine(proposed), "what " + proposed.toolName() + " found")
                : offer.input()
                        .problem(proposed.inputJson())
                        .map(problem -> ToolExamination.refused(INPUT_INVALID, problem))
                        .orElseGet(() -> ToolExamination.facts(CallFacts.none()));
    }

    /**
     * Code of a bundle is trusted with the process, so what it declares is enough; a confined tool
     * knows whose code it runs. A tool that is not here gives no word.
     */
    boolean mayRepeat(String toolName, String callId, int attempt) {
        return toolRegistry
                .find(toolName)
                .map(
                        offer ->
                                offer.tool() instanceof ConfinedTool confined
                                        ? confined.mayRepeat(callId, attempt)
                                        : offer.descriptor().idempotent())
                .orElse(false);
    }

    /** Returns what a confined tool says is left of a lost call. */
    String leftBy(String toolName, String agentId, String callId, int attempt) {
        return toolRegistry
                .find(toolName)
                .map(
                        offer ->
                                offer.tool() instanceof ConfinedTool confined
                                        ? confined.leftBy(agentId, callId, attempt)
                                        : "")
                .orElse("");
    }

    private ToolRegistry.Offer offer(String toolName) {
        return toolRegistry
                .find(toolName)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.TOOL_UNAVAILABLE,
                                        "Tool "
                                                + toolName
                                                + " is not installed; try again when its bundle"
                                                + " is active."));
    }

    private Call make(ToolOrder order, Consumer<ToolOutcome> sink) {
        String toolName = order.toolName();
        ToolRegistry.Offer offer = offer(toolName);
        String input = order.invocation().inputJson();
        // Confined tools check their input themselves; another version of the tool may be here now.
        Optional<String> problem =
                offer.tool() instanceof ConfinedTool
                        ? offer.input().oversize(input)
                        : offer.input().problem(input);
        if (problem.isPresent()) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, problem.get());
        }
        return new Call(offer, order, sink);
    }

    private void attachAgain(Call call, Consumer<ToolOutcome> sink) {
        Optional<ToolOutcome> ended = call.attach(sink);
        if (ended.isPresent()
                && !outcomeDelivery.deliverLater(new Call.Delivery(sink, ended.get()))) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Call "
                            + call.callId()
                            + " has ended, but too many outcomes wait for delivery; try again"
                            + " later.");
        }
    }

    ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink) {
        Require.present(sink, "the sink of call " + callId);
        return registry.find(callId)
                .filter(call -> call.attempt() == attempt)
                .map(call -> lookup(call.attach(sink)))
                .orElseGet(ToolLookup.Unknown::new);
    }

    private static ToolLookup lookup(Optional<ToolOutcome> ended) {
        return ended.isPresent() ? new ToolLookup.Done(ended.get()) : new ToolLookup.Running();
    }

    void cancel(String callId) {
        registry.find(callId).ifPresent(call -> threads.stop(call, Outcome.CANCELLED));
    }

    void forget(String callId) {
        registry.forget(callId);
    }

    /** Ends the calls of a tool that leaves: first by itself, then by interruption. */
    void withdraw(Tool tool) {
        threads.windDown(registry.callsOf(tool));
    }

    /** Ends everything. */
    void close() {
        threads.windDown(registry.close());
        threads.close();
        outcomeDelivery.close(threads.settings().stopMillis());
    }

    private int leftBehind() {
        return (int)
                registry.occupied().stream().filter(call -> call.outcome().isPresent()).count();
    }

    LoopView loop() {
        return threads.loop();
    }

    List<Metric> metrics() {
        int occupied = registry.occupied().size();
        int leftBehind = leftBehind();
        return metrics.metrics(Math.max(0, occupied - leftBehind), leftBehind, registry.kept());
    }

    List<Finding> findings() {
        int leftBehind = leftBehind();
        return leftBehind == 0
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.WARNING,
                                "tools",
                                leftBehind
                                        + " threads of tool calls have not stopped after a stop"
                                        + " request.",
                                "See the log for the tools; restart the gateway to end the"
                                        + " threads."));
    }
}
