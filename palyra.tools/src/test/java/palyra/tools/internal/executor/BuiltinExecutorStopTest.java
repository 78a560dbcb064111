package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.Finding;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingOutcomes;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** How calls are stopped: by time, by withdrawal of their tool, and at the end. */
class BuiltinExecutorStopTest {
    @Test
    void theToolsOwnTimeLimitStopsIt() {
        RecordingTool tool = RecordingTool.limitedTo("test.slow", 150).holding();
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            ToolOutcome outcome = fixture.start("test.slow", "call-1").await();
            assertEquals(Outcome.TIMED_OUT, outcome.outcome());
            tool.awaitIdle();
            assertEquals(1, tool.interrupted());
        }
    }

    @Test
    void aToolWithEffectsThatIsStoppedMayHaveTakenEffect() {
        RecordingTool tool = RecordingTool.withEffect("test.writer").holding();
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            RecordingOutcomes sink = fixture.start("test.writer", "call-1");
            tool.awaitCalls(1);
            fixture.executor.cancel("call-1");
            ToolOutcome outcome = sink.await();
            assertEquals(Outcome.CANCELLED, outcome.outcome());
            assertTrue(outcome.error().contains("may have taken effect"), outcome.error());
        }
    }

    @Test
    void aToolThatDidItsWorkAllTheSameHasSucceeded() {
        RecordingTool tool =
                RecordingTool.withEffect("test.writer")
                        .doing(
                                call -> {
                                    Await.until(
                                            "the interruption",
                                            () -> Thread.currentThread().isInterrupted());
                                    return ToolResult.of("{\"written\":true}");
                                });
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            RecordingOutcomes sink = fixture.start("test.writer", "call-1");
            tool.awaitCalls(1);
            fixture.executor.cancel("call-1");
            ToolOutcome outcome = sink.await();
            assertEquals(Outcome.SUCCEEDED, outcome.outcome());
            assertEquals("{\"written\":true}", outcome.outputJson());
        }
    }

    @Test
    void theSinkIsNeverInterruptedForTheTool() {
        RecordingTool tool = RecordingTool.named("test.a").holding();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            fixture.executor.start(
                    ExecutorFixture.order("test.a", "call-1", 1),
                    outcome -> interrupted.set(Thread.currentThread().isInterrupted()));
            tool.awaitCalls(1);
            fixture.executor.cancel("call-1");
            Await.until("the sink to be told", () -> interrupted.get() != null);
            assertFalse(interrupted.get());
        }
    }

    @Test
    void aToolThatIgnoresInterruptionIsLeftBehindAndItsOutcomeTold() {
        RecordingTool stubborn = RecordingTool.limitedTo("test.stubborn", 100).holdingStubbornly();
        try (ExecutorFixture fixture = ExecutorFixture.with(stubborn)) {
            ToolOutcome outcome = fixture.start("test.stubborn", "call-1").await();
            assertEquals(Outcome.TIMED_OUT, outcome.outcome());
            assertTrue(outcome.error().contains("not stopped"), outcome.error());
            assertEquals(1, stubborn.running());
            assertEquals(1, fixture.metric("palyra_tool_threads_left_behind"));
            assertEquals(1, fixture.metric("palyra_tool_calls_abandoned_total"));
            assertEquals(0, fixture.metric("palyra_tool_calls_running"));
            assertEquals(Finding.Severity.WARNING, fixture.finding().severity());

            stubborn.release();
            Await.until(
                    "the thread to be counted out",
                    () -> fixture.metric("palyra_tool_threads_left_behind") == 0);
            ToolLookup.Done kept =
                    assertInstanceOf(ToolLookup.Done.class, fixture.lookup("call-1"));
            assertEquals(outcome, kept.outcome(), "the late result changed the outcome");
            assertEquals(List.of(), fixture.executor.findings());
        }
    }

    @Test
    void aWithdrawnToolLetsAShortCallEndByItself() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        RecordingTool tool =
                RecordingTool.named("test.a")
                        .doing(
                                call -> {
                                    go.await(10, TimeUnit.SECONDS);
                                    return ToolResult.of("{}");
                                });
        ToolsSettings patient = new ToolsSettings(8, 10_000, 300, 1_048_576);
        try (ExecutorFixture fixture = new ExecutorFixture(patient, tool)) {
            RecordingOutcomes sink = fixture.start("test.a", "call-1");
            tool.awaitCalls(1);
            Thread unbind = Thread.ofPlatform().start(() -> fixture.executor.removeTool(tool));
            Await.until("the tool to leave", () -> fixture.executor.catalogue().isEmpty());
            go.countDown();
            unbind.join(10_000);
            assertFalse(unbind.isAlive());
            assertEquals(Outcome.SUCCEEDED, sink.await().outcome());
            assertEquals(0, tool.interrupted());
        }
    }

    @Test
    void aWithdrawnToolHasItsCallsInterruptedAndOnlyThose() {
        RecordingTool leaving = RecordingTool.named("test.leaving").holding();
        RecordingTool staying = RecordingTool.named("test.staying").holding();
        try (ExecutorFixture fixture = ExecutorFixture.with(leaving, staying)) {
            RecordingOutcomes first = fixture.start("test.leaving", "call-1");
            RecordingOutcomes second = fixture.start("test.staying", "call-2");
            leaving.awaitCalls(1);
            staying.awaitCalls(1);
            fixture.executor.removeTool(leaving);
            assertEquals(0, leaving.running(), "the tool's code still ran when it was let go");
            assertEquals(Outcome.INTERRUPTED, first.await().outcome());
            assertEquals(1, leaving.interrupted());
            assertEquals(List.of(), second.outcomes());
            staying.release();
            assertEquals(Outcome.SUCCEEDED, second.await().outcome());
        }
    }

    @Test
    void aWithdrawnToolThatIgnoresInterruptionDoesNotHoldTheSystemUp() {
        RecordingTool stubborn = RecordingTool.named("test.stubborn").holdingStubbornly();
        try (ExecutorFixture fixture = ExecutorFixture.with(stubborn)) {
            RecordingOutcomes sink = fixture.start("test.stubborn", "call-1");
            stubborn.awaitCalls(1);
            long before = System.nanoTime();
            fixture.executor.removeTool(stubborn);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
            assertTrue(millis < 5_000, "unbinding took " + millis + " ms");
            assertEquals(Outcome.INTERRUPTED, sink.await().outcome());
            stubborn.release();
        }
    }

    @Test
    void closingEndsEveryThreadOfItsOwn() {
        RecordingTool tool = RecordingTool.named("test.a").holding();
        ExecutorFixture fixture = ExecutorFixture.with(tool);
        RecordingOutcomes sink = fixture.start("test.a", "call-1");
        tool.awaitCalls(1);
        fixture.close();
        assertEquals(1, sink.outcomes().size());
        tool.threads().forEach(Await::ended);
        Await.until(
                "the executor's own threads to end",
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().startsWith("palyra-tool")));
    }

    @Test
    void eachCallHasAThreadOfItsOwnWithTheToolsClassLoader() {
        AtomicReference<ClassLoader> loader = new AtomicReference<>();
        RecordingTool tool =
                RecordingTool.named("test.a")
                        .doing(
                                call -> {
                                    loader.set(Thread.currentThread().getContextClassLoader());
                                    return ToolResult.of("{}");
                                });
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            fixture.start("test.a", "call-1").await();
            fixture.start("test.a", "call-2").await();
            assertNotSame(tool.threads().get(0), tool.threads().get(1));
            assertSame(RecordingTool.class.getClassLoader(), loader.get());
            assertTrue(tool.threads().get(0).getName().contains("call-1"));
        }
    }
}
