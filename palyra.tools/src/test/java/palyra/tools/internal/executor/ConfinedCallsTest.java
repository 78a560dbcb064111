package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolImage;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingConfinedTool;
import palyra.testing.tool.RecordingOutcomes;
import palyra.testing.tool.RecordingTool;

/** Calls of tools that are examined before they are decided and run as confined as was decided. */
class ConfinedCallsTest {
    private static final ToolExamination FACTS =
            ToolExamination.facts(
                    new CallFacts(
                            "/usr/bin/git",
                            "status",
                            Set.of(),
                            1,
                            Set.of(),
                            Set.of(),
                            Set.of(),
                            Set.of(),
                            Set.of(),
                            Set.of()));

    private final RecordingConfinedTool tool = new RecordingConfinedTool("test.confined");

    private static ToolProposed proposed(String name) {
        return new ToolProposed(name, "{\"a\":1}", "session-1", "user:a", "main");
    }

    private static ToolOutcome ended(ExecutorFixture fixture) {
        return fixture.start("test.confined", "call-1").await();
    }

    @Test
    void aConfinedToolIsAskedWhatACallWouldDo() {
        try (ExecutorFixture fixture = ExecutorFixture.with(tool.finding(FACTS))) {
            assertEquals(FACTS, fixture.executor.examine(proposed("test.confined")));
            assertEquals(proposed("test.confined"), tool.proposed().get(0));
            assertTrue(tool.orders().isEmpty());
        }
    }

    @Test
    void anyOtherToolDoesNothingOutside() {
        try (ExecutorFixture fixture = ExecutorFixture.with(RecordingTool.named("test.a"))) {
            assertEquals(
                    ToolExamination.facts(CallFacts.none()),
                    fixture.executor.examine(proposed("test.a")));
        }
    }

    @Test
    void aToolThatIsGoneCannotBeAsked() {
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            assertEquals(
                    ErrorCode.TOOL_UNAVAILABLE,
                    assertThrows(
                                    PalyraException.class,
                                    () -> fixture.executor.examine(proposed("test.other")))
                            .code());
        }
    }

    @Test
    void theOrderReachesTheToolWhole() {
        ToolOrder order =
                new ToolOrder(
                        "test.confined",
                        ExecutorFixture.invocation("call-1", 1),
                        "main",
                        Set.of("operator"),
                        new Confinement(Confinement.Tier.B, Confinement.Egress.PREFLIGHT),
                        "f".repeat(64),
                        false);
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            RecordingOutcomes sink = new RecordingOutcomes();
            fixture.executor.start(order, sink);
            sink.await();
            assertEquals(order, tool.orders().get(0));
        }
    }

    @Test
    void whatRanItAndWhatWasEnforcedIsTheToolsWord() {
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            ToolOutcome outcome = ended(fixture);
            assertEquals(Outcome.SUCCEEDED, outcome.outcome());
            assertEquals("{\"ran\":true}", outcome.outputJson());
            assertEquals("sandbox_test", outcome.executor());
            assertEquals("strict tier=test", outcome.sandboxEnforcement());
            assertEquals("e".repeat(64), outcome.executableSha256());
        }
    }

    @Test
    void partialOutputOfACallThatRanOutOfTimeIsKept() {
        tool.endingWith(
                new ConfinedResult(
                        Outcome.TIMED_OUT,
                        new ToolResult(false, "{\"stdout\":\"half\"}", "It took too long."),
                        "sandbox_test",
                        "strict",
                        ""));
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            ToolOutcome outcome = ended(fixture);
            assertEquals(Outcome.TIMED_OUT, outcome.outcome());
            assertEquals("{\"stdout\":\"half\"}", outcome.outputJson());
            assertEquals("It took too long.", outcome.error());
        }
    }

    @Test
    void outputThatIsNoJsonIsNotBelieved() {
        tool.endingWith(
                new ConfinedResult(
                        Outcome.SUCCEEDED, ToolResult.of("oops"), "sandbox_test", "strict", ""));
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            ToolOutcome outcome = ended(fixture);
            assertEquals(Outcome.FAILED, outcome.outcome());
            assertEquals("{}", outcome.outputJson());
        }
    }

    @Test
    void aConfinedToolThatFailsBeforeItRanClaimsNoConfinement() {
        tool.endingWith(null);
        try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
            ToolOutcome outcome = ended(fixture);
            assertEquals(Outcome.FAILED, outcome.outcome());
            assertEquals("none", outcome.executor());
        }
    }

    @Test
    void withoutAnOrderItRefusesToRun() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> tool.execute(ExecutorFixture.invocation("call-1", 1)));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(tool.orders().isEmpty());
    }

    @Test
    void imagesGoWithAnOutputThatIsUsable() {
        ToolImage image = ToolImage.of("image/png", new byte[] {1, 2, 3});
        for (String output : List.of("{}", "{")) {
            tool.endingWith(
                    new ConfinedResult(
                            Outcome.SUCCEEDED,
                            ToolResult.of(output),
                            "builtin",
                            "none",
                            "",
                            List.of(image)));
            try (ExecutorFixture fixture = ExecutorFixture.with(tool)) {
                assertEquals(
                        output.equals("{}") ? List.of(image) : List.of(), ended(fixture).images());
            }
        }
        assertThrows(
                PalyraException.class,
                () ->
                        new ConfinedResult(
                                Outcome.SUCCEEDED,
                                ToolResult.of("{}"),
                                "builtin",
                                "none",
                                "",
                                Collections.nCopies(5, image)));
    }
}
