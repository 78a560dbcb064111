package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.tools.ToolLookup;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.testing.tool.RecordingOutcomes;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** Many calls, and many attempts at one call. */
class BuiltinExecutorLoadTest {
    @Test
    void threadsLeftBehindCountAgainstTheLimit() {
        RecordingTool stubborn = RecordingTool.limitedTo("test.stubborn", 50).holdingStubbornly();
        RecordingTool quick = RecordingTool.named("test.quick");
        ToolsSettings settings = new ToolsSettings(2, 10, 100, 1_048_576);
        try (ExecutorFixture fixture = new ExecutorFixture(settings, stubborn, quick)) {
            fixture.start("test.stubborn", "call-1").await();
            fixture.start("test.stubborn", "call-2").await();
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, fixture.refusal("test.quick", "call-3", 1));
            assertEquals(0, quick.calls().size());
            stubborn.release();
            Await.until("room", () -> fixture.metric("palyra_tool_threads_left_behind") == 0);
            assertEquals(
                    Outcome.SUCCEEDED, fixture.start("test.quick", "call-3").await().outcome());
        }
    }

    @Test
    void noAttemptStartsBesideAnEarlierOneThatStillRuns() {
        RecordingTool stubborn = RecordingTool.limitedTo("test.stubborn", 50).holdingStubbornly();
        try (ExecutorFixture fixture = ExecutorFixture.with(stubborn)) {
            fixture.start("test.stubborn", "call-1").await();
            fixture.executor.forget("call-1");
            assertInstanceOf(ToolLookup.Unknown.class, fixture.lookup("call-1"));
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, fixture.refusal("test.stubborn", "call-1", 2));
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, fixture.refusal("test.stubborn", "call-1", 1));
            assertEquals(1, stubborn.calls().size());
            stubborn.release();
            stubborn.awaitIdle();
            Await.until(
                    "the thread to be counted out",
                    () -> fixture.metric("palyra_tool_threads_left_behind") == 0);
            assertEquals(
                    Outcome.SUCCEEDED,
                    fixture.start("test.stubborn", "call-1", 2).await().outcome());
        }
    }

    @Test
    void aSinkMayStartTheNextAttemptAtOnce() {
        RecordingTool tool = RecordingTool.named("test.a");
        RecordingOutcomes second = new RecordingOutcomes();
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            fixture.executor.start(
                    ExecutorFixture.order("test.a", "call-1", 1),
                    outcome -> {
                        fixture.executor.forget("call-1");
                        fixture.executor.start(
                                ExecutorFixture.order("test.a", "call-1", 2), second);
                    });
            assertEquals(2, second.await().attempt());
            assertInstanceOf(
                    ToolLookup.Done.class, fixture.executor.attach("call-1", 2, outcome -> {}));
            Await.until(
                    "room",
                    () ->
                            fixture.executor.metrics().stream()
                                    .filter(
                                            metric ->
                                                    metric.name().contains("running")
                                                            || metric.name()
                                                                    .contains("left_behind"))
                                    .allMatch(metric -> metric.value() == 0));
        }
    }

    @Test
    void anEarlierAttemptIsRefusedAfterALaterOne() {
        RecordingTool tool = RecordingTool.named("test.a");
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            fixture.start("test.a", "call-1", 2).await();
            Await.until("the call's thread to end", () -> !tool.threads().get(0).isAlive());
            assertEquals(ErrorCode.INVALID_ARGUMENT, fixture.refusal("test.a", "call-1", 1));
        }
    }

    @Test
    void refusesCallsBeyondTheLimitAndTakesThemAgainLater() {
        RecordingTool tool = RecordingTool.named("test.a").holding();
        ToolsSettings settings = new ToolsSettings(2, 10, 300, 1_048_576);
        try (ExecutorFixture fixture = new ExecutorFixture(settings, tool)) {
            RecordingOutcomes first = fixture.start("test.a", "call-1");
            RecordingOutcomes second = fixture.start("test.a", "call-2");
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, fixture.refusal("test.a", "call-3", 1));
            assertEquals(1, fixture.metric("palyra_tool_calls_refused_total"));
            tool.release();
            first.await();
            second.await();
            Await.until("room", () -> fixture.metric("palyra_tool_calls_running") == 0);
            assertEquals(Outcome.SUCCEEDED, fixture.start("test.a", "call-3").await().outcome());
        }
    }

    @Test
    void refusesCallsWhenTooMuchIsKeptUntilSomethingIsForgotten() {
        String large = "\"" + "x".repeat(250_000) + "\"";
        try (ExecutorFixture fixture =
                ExecutorFixture.with(RecordingTool.named("test.a").returning(large))) {
            for (int i = 1; i <= 3; i++) {
                fixture.start("test.a", "call-" + i).await();
            }
            assertEquals(3, fixture.metric("palyra_tool_outcomes_kept"));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, fixture.refusal("test.a", "call-9", 1));
            assertInstanceOf(ToolLookup.Done.class, fixture.lookup("call-1"));
            fixture.executor.forget("call-2");
            assertEquals(Outcome.SUCCEEDED, fixture.start("test.a", "call-9").await().outcome());
        }
    }

    @Test
    void manyStartsOfOneCallAtOnceRunItOnce() throws Exception {
        RecordingTool tool = RecordingTool.withEffect("test.writer");
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            for (int round = 0; round < 50; round++) {
                String callId = "call-" + round;
                CyclicBarrier barrier = new CyclicBarrier(4);
                List<Thread> starters = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    starters.add(
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                meet(barrier);
                                                fixture.start("test.writer", callId);
                                            }));
                }
                for (Thread starter : starters) {
                    starter.join(10_000);
                }
                Await.until("the outcome", () -> fixture.lookup(callId) instanceof ToolLookup.Done);
                fixture.executor.forget(callId);
            }
            assertEquals(50, tool.calls().size());
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the starters did not meet", e);
        }
    }

    @Test
    void cancelRacingWithTheEndTellsExactlyOneOutcome() {
        RecordingTool tool = RecordingTool.named("test.a");
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            for (int i = 0; i < 200; i++) {
                String callId = "call-" + i;
                RecordingOutcomes sink = fixture.start("test.a", callId);
                fixture.executor.cancel(callId);
                Outcome told = sink.await().outcome();
                assertTrue(told == Outcome.SUCCEEDED || told == Outcome.CANCELLED, told.name());
                fixture.executor.forget(callId);
                Await.until("room", () -> fixture.metric("palyra_tool_calls_running") == 0);
                assertEquals(1, sink.outcomes().size());
            }
        }
    }
}
