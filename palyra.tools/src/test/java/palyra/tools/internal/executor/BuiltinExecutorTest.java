package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingOutcomes;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

class BuiltinExecutorTest {
    private static void ignore(ToolOutcome outcome) {}

    private static ErrorCode refusal(ExecutorFixture fixture, String tool, String callId, int n) {
        return assertThrows(
                        PalyraException.class,
                        () ->
                                fixture.executor.start(
                                        ExecutorFixture.order(tool, callId, n),
                                        BuiltinExecutorTest::ignore))
                .code();
    }

    @Test
    void saysWhatRanTheCallAndThatNothingConfinedIt() {
        try (ExecutorFixture fixture =
                ExecutorFixture.with(RecordingTool.named("test.a").returning("{\"n\":1}"))) {
            ToolOutcome outcome = fixture.start("test.a", "call-1").await();
            assertEquals("builtin", outcome.executor());
            assertEquals("none", outcome.sandboxEnforcement());
            assertEquals("", outcome.executableSha256());
            assertEquals("{\"n\":1}", outcome.outputJson());
        }
    }

    @Test
    void theHighestRankingThenTheLowestIdWinsAName() {
        RecordingTool first = RecordingTool.named("test.a").returning("1");
        RecordingTool second = RecordingTool.named("test.a").returning("2");
        RecordingTool ranked = RecordingTool.named("test.a").returning("3");
        try (ExecutorFixture fixture = ExecutorFixture.with(first, second)) {
            assertEquals("1", fixture.start("test.a", "call-1").await().outputJson());
            fixture.add(ranked, 5);
            assertEquals("3", fixture.start("test.a", "call-2").await().outputJson());
            assertEquals(1, fixture.executor.catalogue().size());
            assertEquals(Finding.Severity.WARNING, finding(fixture).severity());
            fixture.executor.updateTool(second, Map.of("service.ranking", 9));
            assertEquals("2", fixture.start("test.a", "call-3").await().outputJson());
            fixture.executor.removeTool(second);
            fixture.executor.removeTool(ranked);
            assertEquals("1", fixture.start("test.a", "call-4").await().outputJson());
            fixture.executor.removeTool(first);
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(fixture, "test.a", "call-5", 1));
            assertEquals(List.of(), fixture.executor.catalogue());
            assertEquals(List.of(), fixture.executor.findings());
        }
    }

    private static Finding finding(ExecutorFixture fixture) {
        List<Finding> findings = fixture.executor.findings();
        assertEquals(1, findings.size(), findings.toString());
        return findings.get(0);
    }

    private record Described(ToolDescriptor given) implements Tool {
        @Override
        public ToolDescriptor descriptor() {
            if (given == null) {
                throw new IllegalStateException("no description today");
            }
            return given;
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) {
            return ToolResult.of("{}");
        }
    }

    private static Tool withSchema(String schema) {
        return new Described(
                new ToolDescriptor("test.bad", "Bad.", schema, Set.of(), true, true, 1_000, 100));
    }

    @Test
    void leavesOutToolsWithoutAUsableDescriptionAndSaysSo() {
        Tool good = RecordingTool.named("test.good");
        for (Tool bad :
                List.of(
                        new Described(null),
                        withSchema("{\"type\":\"string\"}"),
                        withSchema("[]"),
                        withSchema("{\"type\":"))) {
            try (ExecutorFixture fixture = ExecutorFixture.with(bad, good)) {
                assertEquals(1, fixture.executor.catalogue().size());
                assertEquals("test.good", fixture.executor.catalogue().get(0).name());
                assertEquals(Finding.Severity.ERROR, finding(fixture).severity());
                assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal(fixture, "test.bad", "c", 1));
                fixture.executor.removeTool(bad);
                assertEquals(List.of(), fixture.executor.findings());
            }
        }
    }

    @Test
    void aThrownExceptionBecomesAFailureWithItsMessage() {
        try (ExecutorFixture fixture =
                ExecutorFixture.with(
                        RecordingTool.named("test.io").throwing(new java.io.IOException("no disk")),
                        RecordingTool.named("test.mute").throwing(new IllegalStateException()),
                        RecordingTool.named("test.told")
                                .throwing(
                                        new PalyraException(
                                                ErrorCode.INVALID_ARGUMENT, "Send a text.")))) {
            ToolOutcome io = fixture.start("test.io", "call-1").await();
            assertEquals(Outcome.FAILED, io.outcome());
            assertEquals("Tool test.io failed: no disk", io.error());
            assertEquals("{}", io.outputJson());
            String mute = fixture.start("test.mute", "call-2").await().error();
            assertEquals("Tool test.mute failed: IllegalStateException", mute);
            assertEquals("Send a text.", fixture.start("test.told", "call-3").await().error());
        }
    }

    @Test
    void evenAnErrorOfAToolIsOnlyItsOwn() {
        RecordingTool broken =
                RecordingTool.named("test.broken")
                        .doing(
                                call -> {
                                    throw new NoClassDefFoundError("some/Missing");
                                });
        try (ExecutorFixture fixture = ExecutorFixture.with(broken)) {
            ToolOutcome outcome = fixture.start("test.broken", "call-1").await();
            assertEquals(Outcome.FAILED, outcome.outcome());
            broken.returning("{}");
            assertEquals(
                    Outcome.SUCCEEDED, fixture.start("test.broken", "call-2").await().outcome());
        }
    }

    @Test
    void aToolThatReturnsNothingFails() {
        try (ExecutorFixture fixture =
                ExecutorFixture.with(RecordingTool.named("test.null").doing(call -> null))) {
            ToolOutcome outcome = fixture.start("test.null", "call-1").await();
            assertEquals(Outcome.FAILED, outcome.outcome());
            assertTrue(outcome.error().contains("returned nothing"), outcome.error());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"a\":1,\"a\":2}", "{} {}", "\"\\ud800\"", "{\"a\":"})
    void outputThatIsNoStrictJsonFails(String output) {
        try (ExecutorFixture fixture =
                ExecutorFixture.with(RecordingTool.named("test.a").returning(output))) {
            ToolOutcome outcome = fixture.start("test.a", "call-1").await();
            assertEquals(Outcome.FAILED, outcome.outcome());
            assertEquals("{}", outcome.outputJson());
            assertTrue(outcome.error().contains("test.a"), outcome.error());
        }
    }

    @Test
    void outputUpToTheLimitIsTakenAndBeyondItRefused() {
        String fits = "\"" + "x".repeat(Outcomes.MAX_OUTPUT_BYTES - 2) + "\"";
        RecordingTool tool = RecordingTool.named("test.a").returning(fits);
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            assertEquals(fits, fixture.start("test.a", "call-1").await().outputJson());
            tool.returning("\"" + "é".repeat(Outcomes.MAX_OUTPUT_BYTES / 2) + "\"");
            ToolOutcome outcome = fixture.start("test.a", "call-2").await();
            assertEquals(Outcome.FAILED, outcome.outcome());
            assertTrue(outcome.error().contains("262144"), outcome.error());
        }
    }

    @Test
    void errorsAreBoundedAndWellFormed() {
        try (ExecutorFixture fixture =
                ExecutorFixture.with(
                        RecordingTool.named("test.a")
                                .doing(
                                        call ->
                                                ToolResult.failed(
                                                        "bad \ud800 " + "x".repeat(9_000))))) {
            String error = fixture.start("test.a", "call-1").await().error();
            assertTrue(error.startsWith("bad ? x"), error.substring(0, 10));
            assertTrue(error.length() <= 4_000, "length " + error.length());
        }
    }

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
            assertTrue(outcome.error().contains("not obeyed"), outcome.error());
            assertEquals(1, stubborn.running());
            assertEquals(1, fixture.metric("palyra_tool_threads_left_behind"));
            assertEquals(1, fixture.metric("palyra_tool_calls_abandoned_total"));
            assertEquals(0, fixture.metric("palyra_tool_calls_running"));
            assertEquals(Finding.Severity.WARNING, finding(fixture).severity());

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
    void threadsLeftBehindCountAgainstTheLimit() {
        RecordingTool stubborn = RecordingTool.limitedTo("test.stubborn", 50).holdingStubbornly();
        RecordingTool quick = RecordingTool.named("test.quick");
        ToolsSettings settings = new ToolsSettings(2, 10, 100, 1_048_576);
        try (ExecutorFixture fixture = new ExecutorFixture(settings, stubborn, quick)) {
            fixture.start("test.stubborn", "call-1").await();
            fixture.start("test.stubborn", "call-2").await();
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal(fixture, "test.quick", "call-3", 1));
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
            assertEquals(
                    ErrorCode.TOOL_UNAVAILABLE, refusal(fixture, "test.stubborn", "call-1", 2));
            assertEquals(
                    ErrorCode.TOOL_UNAVAILABLE, refusal(fixture, "test.stubborn", "call-1", 1));
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
                    ToolLookup.Done.class,
                    fixture.executor.attach("call-1", 2, BuiltinExecutorTest::ignore));
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
            assertEquals(ErrorCode.INVALID_ARGUMENT, refusal(fixture, "test.a", "call-1", 1));
        }
    }

    @Test
    void refusesCallsBeyondTheLimitAndTakesThemAgainLater() {
        RecordingTool tool = RecordingTool.named("test.a").holding();
        ToolsSettings settings = new ToolsSettings(2, 10, 300, 1_048_576);
        try (ExecutorFixture fixture = new ExecutorFixture(settings, tool)) {
            RecordingOutcomes first = fixture.start("test.a", "call-1");
            RecordingOutcomes second = fixture.start("test.a", "call-2");
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal(fixture, "test.a", "call-3", 1));
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
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal(fixture, "test.a", "call-9", 1));
            assertInstanceOf(ToolLookup.Done.class, fixture.lookup("call-1"));
            fixture.executor.forget("call-2");
            assertEquals(Outcome.SUCCEEDED, fixture.start("test.a", "call-9").await().outcome());
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

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThrows(PalyraException.class, () -> new ToolsSettings(0, 0, 100, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, -1, 100, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, 0, 99, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, 0, 100, 1));
    }
}
