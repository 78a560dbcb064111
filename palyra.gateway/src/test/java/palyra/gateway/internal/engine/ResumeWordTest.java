package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolResult;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/**
 * A call that was under way when the process died is started again with its executor's word only.
 */
class ResumeWordTest {
    private static final String TOOL = "test.lost";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path state;
    private final CountDownLatch death = new CountDownLatch(1);
    private final AtomicInteger started = new AtomicInteger();

    /** Idempotent; its first call never ends by itself. */
    private final class Foreign implements ConfinedTool {
        private final boolean word;

        Foreign(boolean word) {
            this.word = word;
        }

        @Override
        public ToolDescriptor descriptor() {
            return RecordingTool.named(TOOL).descriptor();
        }

        @Override
        public ToolExamination examine(ToolProposed proposed) {
            return ToolExamination.facts(CallFacts.none());
        }

        @Override
        public boolean mayRepeat(String callId, int attempt) {
            return word;
        }

        @Override
        public ConfinedResult run(ToolOrder order) throws InterruptedException {
            if (started.incrementAndGet() == 1 && !death.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the first life did not end");
            }
            return new ConfinedResult(
                    Outcome.SUCCEEDED, ToolResult.of("{}"), "test", "none", "e".repeat(64));
        }
    }

    private List<TapeEvent.ToolCallOutput> dieAndComeBack(Tool first, Tool second) {
        String runId;
        DyingJournal dying = new DyingJournal(0, false, unit -> false);
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot1", first);
                ScriptedModelProvider model = new ScriptedModelProvider()) {
            model.propose(TOOL, "{}").answer("done");
            try (LightGateway gateway =
                    new LightGateway(around, model, "boot1/1", dying::around, FakeAccess.forTools())
                            .awaitReady()) {
                gateway.offering(TOOL);
                runId = gateway.submit("go").runId();
                Await.until("the call to run", PATIENCE, () -> started.get() == 1);
                dying.die();
            }
            death.countDown();
        }
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(state, "boot2", second);
                ScriptedModelProvider model = new ScriptedModelProvider().answer("done");
                LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
            gateway.offering(TOOL);
            gateway.ended(runId);
            return gateway.records(runId, TapeEvent.ToolCallOutput.class);
        }
    }

    @Test
    void neverRepeatsAnIdempotentCallWithoutItsExecutorsWord() {
        TapeEvent.ToolCallOutput output =
                dieAndComeBack(new Foreign(false), new Foreign(false)).get(0);
        assertEquals(Outcome.INTERRUPTED, output.outcome());
        assertEquals(1, output.attempt());
        assertEquals(1, started.get(), "the call was started again");
    }

    @Test
    void repeatsAnIdempotentCallWhoseExecutorSaysThatItMay() {
        TapeEvent.ToolCallOutput output =
                dieAndComeBack(new Foreign(true), new Foreign(true)).get(0);
        assertEquals(Outcome.SUCCEEDED, output.outcome());
        assertEquals(2, output.attempt());
        assertEquals(2, started.get());
    }
}
