package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingTool;

/** What the executor of tools inside the gateway says of a call that ends by itself. */
class BuiltinExecutorTest {
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
            assertEquals(Finding.Severity.WARNING, fixture.finding().severity());
            fixture.executor.updateTool(second, Map.of("service.ranking", 9));
            assertEquals("2", fixture.start("test.a", "call-3").await().outputJson());
            fixture.executor.removeTool(second);
            fixture.executor.removeTool(ranked);
            assertEquals("1", fixture.start("test.a", "call-4").await().outputJson());
            fixture.executor.removeTool(first);
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, fixture.refusal("test.a", "call-5", 1));
            assertEquals(List.of(), fixture.executor.catalogue());
            assertEquals(List.of(), fixture.executor.findings());
        }
    }

    private static ToolDescriptor named(String name, String description) {
        return new ToolDescriptor(
                name, description, "{\"type\":\"object\"}", Set.of(), true, true, 1_000, 100);
    }

    @Test
    void aDescriptionIsReadAgainWhenAPropertyOfItsToolChanges() {
        try (ExecutorFixture fixture = ExecutorFixture.with()) {
            ToolDescriptor[] now = {named("test.a", "Old.")};
            Tool tool =
                    new Tool() {
                        @Override
                        public ToolDescriptor descriptor() {
                            return now[0];
                        }

                        @Override
                        public ToolResult execute(ToolInvocation invocation) {
                            return ToolResult.of("{}");
                        }
                    };
            fixture.executor.addTool(tool, Map.of());
            now[0] = named("test.a", "New.");
            assertEquals(List.of(named("test.a", "Old.")), fixture.executor.catalogue());
            fixture.executor.updateTool(tool, Map.of("described", 1));
            assertEquals(List.of(now[0]), fixture.executor.catalogue());
            now[0] = named("test.b", "Another name.");
            fixture.executor.updateTool(tool, Map.of("described", 2));
            now[0] = null;
            fixture.executor.updateTool(tool, Map.of("described", 3));
            assertEquals(List.of(named("test.a", "New.")), fixture.executor.catalogue());
        }
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
                assertEquals(Finding.Severity.ERROR, fixture.finding().severity());
                assertEquals(ErrorCode.TOOL_UNAVAILABLE, fixture.refusal("test.bad", "c", 1));
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
    void settingsOutOfRangeAreRefused() {
        assertThrows(PalyraException.class, () -> new ToolsSettings(0, 0, 100, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, -1, 100, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, 0, 99, 1_048_576));
        assertThrows(PalyraException.class, () -> new ToolsSettings(1, 0, 100, 1));
    }
}
