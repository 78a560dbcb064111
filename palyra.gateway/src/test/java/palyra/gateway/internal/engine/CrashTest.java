package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;

/**
 * The process dies at every write of a run with two turns and two calls, just before it and just
 * after; then it starts again.
 */
class CrashTest extends DeathAtEveryWrite {
    @TestFactory
    List<DynamicTest> survivesDeathAtEveryWrite() {
        return deaths(6, CrashTest::dieAndComeBack);
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

    private static void dieAndComeBack(Path state, int write, DyingJournal dying) {
        RecordingTool first = RecordingTool.withEffect("test.effect");
        boolean acknowledged;
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot1", first);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(CrashTest::script)) {
            acknowledged = live(around, model, dying, "test.effect");
        }
        RecordingTool second = RecordingTool.withEffect("test.effect");
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot2", second);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(CrashTest::script);
                LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
            // The client that got no answer sends its message again, as it should.
            String runId = gateway.submit(MESSAGE).runId();
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
            around.assertVerified();
            assertTrue(acknowledged || write == 1, "only the first write is the acceptance");
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
