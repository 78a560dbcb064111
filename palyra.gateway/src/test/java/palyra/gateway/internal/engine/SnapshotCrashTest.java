package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.api.core.journal.Journal;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.RunSnapshots;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/**
 * The process dies at every write of a long run that it took up, the snapshot's included, just
 * before it and just after; then it starts again.
 */
class SnapshotCrashTest extends DeathAtEveryWrite {
    private static final String RUN = new Ulids().next();
    private static final int PIECES = RunSnapshots.EVERY + 100;

    @TestFactory
    List<DynamicTest> survivesDeathAtEveryWriteOfARunWithASnapshot() {
        return deaths(6, SnapshotCrashTest::dieAndComeBack);
    }

    private static List<ModelEvent> script(ModelRequest request) {
        boolean toldOutput =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return toldOutput
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }

    private static void dieAndComeBack(Path state, int write, DyingJournal dying) {
        RecordingTool first = RecordingTool.withEffect("test.effect");
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot1", first);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(SnapshotCrashTest::script)) {
            offering(around);
            Planted.streaming(around.journal(), RUN, "work", PIECES);
            try (LightGateway ignored =
                    new LightGateway(
                            around, model, "boot1/1", dying::around, FakeAccess.forTools())) {
                Await.until("the process to die", dying::dead);
            }
        }
        RecordingTool second = RecordingTool.withEffect("test.effect");
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot2", second);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(SnapshotCrashTest::script);
                LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(RUN).state());
            assertEquals(1, around.journal().outboxOf(RUN).size(), "one final answer");
            assertEquals(1, outputs(around.journal()), "one output of the one call");
            assertTrue(first.calls().size() + second.calls().size() <= 1, "at most one effect");
            assertEquals(Optional.empty(), around.journal().snapshot(RUN));
            assertTrue(around.opened.verifyAll(() -> false).intact());
        }
    }

    private static void offering(LightGateway.Surroundings around) {
        try (ScriptedModelProvider nobody = new ScriptedModelProvider();
                LightGateway gateway = new LightGateway(around, nobody, "boot1/0").awaitReady()) {
            gateway.offering("test.effect");
        }
    }

    private static long outputs(Journal journal) {
        return journal.tape(RUN, PIECES, 1_000).stream()
                .map(TapeCodec::event)
                .filter(TapeEvent.ToolCallOutput.class::isInstance)
                .count();
    }
}
