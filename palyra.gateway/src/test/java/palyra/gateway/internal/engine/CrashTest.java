package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;

/**
 * The process dies at every write of a run with two turns and two calls, just before it and just
 * after; then it starts again.
 */
class CrashTest {
    private static Thread.UncaughtExceptionHandler before;

    @BeforeAll
    static void quiet() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> {
                    if (!(e instanceof DyingJournal.Dead)) {
                        e.printStackTrace();
                    }
                });
    }

    @AfterAll
    static void loud() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> survivesDeathAtEveryWrite() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int write = 1; write <= 6; write++) {
            for (boolean after : new boolean[] {false, true}) {
                int n = write;
                tests.add(
                        DynamicTest.dynamicTest(
                                (after ? "after" : "before") + " write " + n,
                                () -> dieAndComeBack(n, after)));
            }
        }
        return tests;
    }

    private static List<ModelEvent> script(ModelRequest request) {
        boolean toldOutputs =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return toldOutputs
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                        new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":2}")),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }

    private void dieAndComeBack(int write, boolean after) {
        Path state = folder.resolve((after ? "after" : "before") + write);
        SubmittedMessage message =
                new SubmittedMessage("shell", "key", "", "", "", "", "", "work", "", false);
        RecordingTool first = RecordingTool.withEffect("test.effect");
        DyingJournal dying =
                new DyingJournal(
                        write, after, unit -> unit.operations().toString().contains("streamId=01"));
        boolean acknowledged = live(state, first, dying, message);
        assertTrue(dying.dead(), "the run has at least " + write + " writes");

        RecordingTool second = RecordingTool.withEffect("test.effect");
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot2", second);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(CrashTest::script);
                LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
            // The client that got no answer sends its message again, as it should.
            String runId = gateway.submit(message).runId();
            RunRow run = gateway.ended(runId);
            assertEquals(RunState.SUCCEEDED, run.state());
            assertEquals(1, around.journal().runs("", "", "", 10).size(), "one message, one run");
            assertEquals(
                    1,
                    gateway.records(runId, TapeEvent.Message.class).stream()
                            .filter(m -> m.role() == TapeEvent.Role.AGENT)
                            .count());
            assertEquals(1, around.journal().outboxOf(runId).size(), "one final answer");
            assertEffectsOnce(around.journal(), runId, first, second);
            assertTrue(around.opened.verifyAll(() -> false).intact());
            assertTrue(acknowledged || write == 1, "only the first write is the acceptance");
        }
    }

    /** Returns whether the message was acknowledged before the process died. */
    private static boolean live(
            Path state, RecordingTool tool, DyingJournal dying, SubmittedMessage message) {
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot1", tool);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(CrashTest::script)) {
            LightGateway gateway =
                    new LightGateway(around, model, "boot1/1", dying::around, new OpenAccess())
                            .awaitReady();
            gateway.offering("test.effect");
            Optional<String> runId = Optional.empty();
            try {
                runId = Optional.of(gateway.submit(message).runId());
                palyra.testing.wait.Await.until("the process to die", dying::dead);
            } catch (DyingJournal.Dead e) {
                assertTrue(dying.dead());
            }
            gateway.close();
            return runId.isPresent();
        }
    }

    /**
     * Every call that says it succeeded happened once; one that says it was interrupted happened at
     * most once; nothing happened twice.
     */
    private static void assertEffectsOnce(
            Journal journal, String runId, RecordingTool first, RecordingTool second) {
        List<String> happened = new ArrayList<>();
        first.calls().forEach(call -> happened.add(call.callId()));
        second.calls().forEach(call -> happened.add(call.callId()));
        assertEquals(happened.stream().distinct().toList(), happened, "no effect happened twice");
        List<TapeEvent.ToolCallOutput> outputs =
                LightGateway.tape(journal, runId).stream()
                        .filter(TapeEvent.ToolCallOutput.class::isInstance)
                        .map(TapeEvent.ToolCallOutput.class::cast)
                        .toList();
        assertEquals(2, outputs.size(), "one output for each proposal");
        for (TapeEvent.ToolCallOutput output : outputs) {
            if (output.outcome() == Outcome.SUCCEEDED) {
                assertTrue(happened.contains(output.callId()));
            } else {
                assertEquals(Outcome.INTERRUPTED, output.outcome());
            }
        }
    }
}
