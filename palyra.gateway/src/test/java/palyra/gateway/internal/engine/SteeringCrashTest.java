package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeEvent;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** The process dies at every write of a run that is told a second message while it works. */
class SteeringCrashTest extends DeathAtEveryWrite {
    private static final SubmittedMessage SECOND =
            SteeringTest.message("key2", "rather in blue", WhileRunning.STEER);

    @TestFactory
    List<DynamicTest> survivesDeathAtEveryWrite() {
        return deaths(6, SteeringCrashTest::dieAndComeBack);
    }

    private static void dieAndComeBack(Path state, int write, DyingJournal dying) {
        RecordingTool first = RecordingTool.withEffect("test.effect").holding();
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot1", first);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(OneGateway::callThenAnswer)) {
            liveWithTwo(around, model, dying, first);
        }
        RecordingTool second = RecordingTool.withEffect("test.effect");
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot2", second);
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(OneGateway::callThenAnswer);
                LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
            // The client that got no answer sends its messages again, as it should.
            String runId = gateway.submit(MESSAGE).runId();
            String steering = gateway.submit(SECOND).runId();
            assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
            RunRow told = gateway.ended(steering);
            boolean own = told.state() == RunState.SUCCEEDED;
            assertEquals(own ? 1 : 0, around.journal().outboxOf(steering).size());
            assertEquals(own ? 1 : 2, said(gateway, runId), "told once, or a run of its own");
            assertTrue(own || told.reason().contains(runId), told.reason());
            assertEquals(1, around.journal().outboxOf(runId).size(), "one final answer");
            around.assertVerified();
        }
    }

    private static long said(LightGateway gateway, String runId) {
        return gateway.records(runId, TapeEvent.Message.class).stream()
                .filter(message -> message.role() == TapeEvent.Role.USER)
                .count();
    }

    private static void liveWithTwo(
            LightGateway.Surroundings around,
            ScriptedModelProvider model,
            DyingJournal dying,
            RecordingTool tool) {
        try (LightGateway gateway =
                new LightGateway(around, model, "boot1/1", dying::around, FakeAccess.forTools())
                        .awaitReady()) {
            gateway.offering("test.effect");
            try {
                gateway.submit(MESSAGE);
                Await.until("a call, or death", () -> dying.dead() || !tool.calls().isEmpty());
                gateway.submit(SECOND);
                tool.release();
                Await.until("the process to die", dying::dead);
            } catch (DyingJournal.Dead e) {
                assertTrue(dying.dead());
            } finally {
                tool.release();
            }
        }
        assertTrue(dying.dead(), "the run has as many writes");
    }
}
