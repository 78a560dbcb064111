package palyra.testing.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.shared.json.StrictJson;
import palyra.testing.wait.Await;

/**
 * What every executor of tools must do. Extend it in the executor's tests, supply the tools it is
 * to run, and every rule of {@link ToolExecutor} becomes a test of yours.
 */
public abstract class ToolExecutorContract {
    private ToolExecutor executor;
    private boolean withdrawn;

    /** A call that the executor can be given. */
    public record Call(String toolName, String inputJson) {}

    /** Returns an executor ready for use that offers the tools of the calls below. */
    protected abstract ToolExecutor open() throws Exception;

    /** Does what the executor's deactivation does, and returns when that is done. */
    protected abstract void withdraw(ToolExecutor executor) throws Exception;

    /** Returns a call that succeeds within a second. */
    protected abstract Call quick();

    /** Returns a call that the tool itself ends as failed within a second. */
    protected abstract Call failing();

    /** Returns a call that would last over a minute and can be stopped. */
    protected abstract Call lasting();

    /** Returns how often a lasting call was started so far. */
    protected abstract int lastingStarts();

    /** Opens the executor. */
    @BeforeEach
    public void openExecutor() throws Exception {
        executor = open();
    }

    /** Withdraws the executor, unless the test did. */
    @AfterEach
    public void withdrawExecutor() throws Exception {
        if (!withdrawn) {
            withdrawNow();
        }
    }

    private void withdrawNow() throws Exception {
        withdrawn = true;
        withdraw(executor);
    }

    private static ToolInvocation invocation(String callId, int attempt, String inputJson) {
        return invocation(callId, attempt, inputJson, TimeUnit.MINUTES.toMillis(2));
    }

    private static ToolInvocation invocation(
            String callId, int attempt, String inputJson, long forMillis) {
        return new ToolInvocation(
                callId,
                attempt,
                "run-1",
                "session-1",
                "user:test",
                inputJson,
                System.currentTimeMillis() + forMillis);
    }

    private RecordingOutcomes start(Call call, String callId, int attempt) {
        RecordingOutcomes sink = new RecordingOutcomes();
        executor.start(
                ToolOrder.of(call.toolName(), invocation(callId, attempt, call.inputJson())), sink);
        return sink;
    }

    private RecordingOutcomes startLasting(String callId) {
        int before = lastingStarts();
        RecordingOutcomes sink = start(lasting(), callId, 1);
        Await.until("the lasting call to begin", () -> lastingStarts() > before);
        return sink;
    }

    private ToolDescriptor offered(String toolName) {
        return executor.catalogue().stream()
                .filter(tool -> tool.name().equals(toolName))
                .findFirst()
                .orElseThrow(() -> new AssertionError(toolName + " is not in the catalogue"));
    }

    private static void ignore(ToolOutcome outcome) {}

    /** The catalogue names what can be run, each name once. */
    @Test
    public void cataloguesWhatItRuns() {
        offered(quick().toolName());
        offered(lasting().toolName());
        List<String> names = executor.catalogue().stream().map(ToolDescriptor::name).toList();
        assertEquals(names.stream().distinct().toList(), names);
    }

    /** A call ends with one outcome that says what ran it and under which enforcement. */
    @Test
    public void runsACallAndTellsItsOutcomeOnce() throws Exception {
        long before = System.currentTimeMillis();
        RecordingOutcomes sink = start(quick(), "call-1", 1);
        ToolOutcome outcome = sink.await();
        assertEquals(Outcome.SUCCEEDED, outcome.outcome(), outcome.error());
        assertEquals("call-1", outcome.callId());
        assertEquals(1, outcome.attempt());
        assertEquals("", outcome.error());
        StrictJson.parse(outcome.outputJson(), "the output");
        assertFalse(outcome.executor().isBlank());
        assertFalse(outcome.sandboxEnforcement().isBlank());
        assertTrue(outcome.startedAtMillis() >= before - 1_000, "began before it was asked for");
        assertTrue(
                outcome.finishedAtMillis() >= outcome.startedAtMillis(), "ended before it began");
        assertFalse(sink.threads().contains(Thread.currentThread()), "told on the caller's thread");
        withdrawNow();
        assertEquals(1, sink.outcomes().size(), "told more than once");
    }

    /** A tool that says no fails with its sentence. */
    @Test
    public void tellsWhyAToolFailed() {
        ToolOutcome outcome = start(failing(), "call-1", 1).await();
        assertEquals(Outcome.FAILED, outcome.outcome());
        assertFalse(outcome.error().isBlank());
    }

    /** An unknown tool is refused and leaves nothing behind. */
    @Test
    public void refusesAnUnknownTool() {
        ErrorCode code = refusal("no.such.tool", "{}");
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, code);
        assertInstanceOf(
                ToolLookup.Unknown.class,
                executor.attach("call-1", 1, ToolExecutorContract::ignore));
    }

    /** An input beyond the tool's limit is refused and starts nothing. */
    @Test
    public void refusesAnInputLargerThanTheToolTakes() {
        int limit = offered(lasting().toolName()).maxInputBytes();
        int before = lastingStarts();
        String input = "{\"pad\":\"" + "é".repeat(limit / 2) + "\"}";
        assertEquals(ErrorCode.INVALID_ARGUMENT, refusal(lasting().toolName(), input));
        assertEquals(before, lastingStarts());
    }

    private ErrorCode refusal(String toolName, String input) {
        ToolInvocation invocation = invocation("call-1", 1, input);
        return assertThrows(
                        PalyraException.class,
                        () ->
                                executor.start(
                                        ToolOrder.of(toolName, invocation),
                                        ToolExecutorContract::ignore))
                .code();
    }

    /** Starting what runs does not run it twice; the newest sink gets the outcome. */
    @Test
    public void startingARunningCallOnlyAttaches() {
        RecordingOutcomes first = startLasting("call-1");
        int begun = lastingStarts();
        RecordingOutcomes second = start(lasting(), "call-1", 1);
        executor.cancel("call-1");
        assertEquals(Outcome.CANCELLED, second.await().outcome());
        assertEquals(begun, lastingStarts(), "the call was run twice");
        assertEquals(List.of(), first.outcomes(), "the replaced sink was told as well");
    }

    /** Starting what has ended brings its outcome again and runs nothing. */
    @Test
    public void startingAnEndedCallBringsItsOutcomeAgain() {
        RecordingOutcomes first = startLasting("call-1");
        int begun = lastingStarts();
        executor.cancel("call-1");
        ToolOutcome told = first.await();
        assertEquals(told, start(lasting(), "call-1", 1).await());
        assertEquals(begun, lastingStarts(), "the call was run twice");
    }

    /** A later attempt is a call of its own. */
    @Test
    public void laterAttemptRunsAgain() {
        start(quick(), "call-1", 1).await();
        ToolOutcome second = start(quick(), "call-1", 2).await();
        assertEquals(2, second.attempt());
        assertEquals(Outcome.SUCCEEDED, second.outcome());
    }

    /** Attaching to a running call replaces its sink. */
    @Test
    public void attachReplacesTheSinkOfARunningCall() {
        RecordingOutcomes first = startLasting("call-1");
        RecordingOutcomes second = new RecordingOutcomes();
        assertInstanceOf(ToolLookup.Running.class, executor.attach("call-1", 1, second));
        executor.cancel("call-1");
        assertEquals(Outcome.CANCELLED, second.await().outcome());
        assertEquals(List.of(), first.outcomes(), "the replaced sink was told as well");
    }

    /** Attaching to what has ended returns its outcome, until it is forgotten. */
    @Test
    public void attachReturnsAKeptOutcomeUntilItIsForgotten() {
        ToolOutcome told = start(quick(), "call-1", 1).await();
        Consumer<ToolOutcome> sink = ToolExecutorContract::ignore;
        ToolLookup.Done done =
                assertInstanceOf(ToolLookup.Done.class, executor.attach("call-1", 1, sink));
        assertEquals(told, done.outcome());
        executor.forget("call-1");
        assertInstanceOf(ToolLookup.Unknown.class, executor.attach("call-1", 1, sink));
    }

    /** What was never started is unknown, and so is another attempt of what was. */
    @Test
    public void attachDoesNotKnowWhatWasNeverStarted() {
        Consumer<ToolOutcome> sink = ToolExecutorContract::ignore;
        assertInstanceOf(ToolLookup.Unknown.class, executor.attach("call-9", 1, sink));
        start(quick(), "call-1", 1).await();
        assertInstanceOf(ToolLookup.Unknown.class, executor.attach("call-1", 2, sink));
    }

    /** A cancelled call ends, and only that one. */
    @Test
    public void cancelStopsOnlyTheCallItNames() {
        RecordingOutcomes first = startLasting("call-1");
        RecordingOutcomes second = startLasting("call-2");
        executor.cancel("call-unknown");
        executor.cancel("call-1");
        assertEquals(Outcome.CANCELLED, first.await().outcome());
        assertEquals(List.of(), second.outcomes());
        executor.cancel("call-2");
        assertEquals(Outcome.CANCELLED, second.await().outcome());
    }

    /** Cancelling and forgetting twice, or after the end, changes nothing. */
    @Test
    public void cancelAfterTheEndChangesNothing() {
        ToolOutcome told = start(quick(), "call-1", 1).await();
        executor.cancel("call-1");
        ToolLookup.Done done =
                assertInstanceOf(
                        ToolLookup.Done.class,
                        executor.attach("call-1", 1, ToolExecutorContract::ignore));
        assertEquals(told, done.outcome());
        executor.forget("call-1");
        executor.forget("call-1");
    }

    /** A running call is not forgotten. */
    @Test
    public void forgetLeavesARunningCallAlone() {
        RecordingOutcomes sink = startLasting("call-1");
        executor.forget("call-1");
        executor.cancel("call-1");
        assertEquals(Outcome.CANCELLED, sink.await().outcome());
    }

    /** A call whose deadline passes is stopped, and says so. */
    @Test
    public void deadlineStopsTheCall() {
        RecordingOutcomes sink = new RecordingOutcomes();
        Call call = lasting();
        executor.start(
                ToolOrder.of(call.toolName(), invocation("call-1", 1, call.inputJson(), 300)),
                sink);
        ToolOutcome outcome = sink.await();
        assertEquals(Outcome.TIMED_OUT, outcome.outcome());
        assertFalse(outcome.error().isBlank());
    }

    /** A call whose deadline has passed already ends without having begun. */
    @Test
    public void pastDeadlineStartsNothing() {
        int before = lastingStarts();
        RecordingOutcomes sink = new RecordingOutcomes();
        Call call = lasting();
        executor.start(
                ToolOrder.of(call.toolName(), invocation("call-1", 1, call.inputJson(), -1_000)),
                sink);
        assertEquals(Outcome.TIMED_OUT, sink.await().outcome());
        assertEquals(before, lastingStarts(), "it was run after its deadline");
    }

    /** A sink that throws harms nothing: the outcome is kept. */
    @Test
    public void outcomeOutlivesASinkThatThrows() {
        Call call = quick();
        executor.start(
                ToolOrder.of(call.toolName(), invocation("call-1", 1, call.inputJson())),
                outcome -> {
                    throw new IllegalStateException("the sink's owner is gone");
                });
        Await.until(
                "the outcome to be kept",
                () ->
                        executor.attach("call-1", 1, ToolExecutorContract::ignore)
                                instanceof ToolLookup.Done);
        assertEquals(Outcome.SUCCEEDED, start(quick(), "call-2", 1).await().outcome());
    }

    /** Many calls each end once. */
    @Test
    public void manyCallsEachEndOnce() throws Exception {
        List<RecordingOutcomes> sinks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RecordingOutcomes sink = start(quick(), "call-" + i, 1);
            sinks.add(sink);
            if (i % 4 == 3) {
                sink.await(); // no executor need take more than a few at a time
                sinks.get(i - 1).await();
                sinks.get(i - 2).await();
                sinks.get(i - 3).await();
            }
        }
        withdrawNow();
        for (RecordingOutcomes sink : sinks) {
            assertEquals(1, sink.outcomes().size());
        }
    }

    /**
     * An executor that leaves tells every running call that it was interrupted, before it is gone.
     */
    @Test
    public void withdrawalInterruptsRunningCalls() throws Exception {
        RecordingOutcomes sink = startLasting("call-1");
        withdrawNow();
        assertEquals(1, sink.outcomes().size(), "nothing was told by the end of the withdrawal");
        assertEquals(Outcome.INTERRUPTED, sink.outcomes().get(0).outcome());
    }

    /** An executor that left starts nothing. */
    @Test
    public void refusesCallsAfterItsWithdrawal() throws Exception {
        withdrawNow();
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(quick().toolName(), quick().inputJson()));
    }
}
