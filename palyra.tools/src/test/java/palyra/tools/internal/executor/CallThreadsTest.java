package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

class CallThreadsTest {
    private final RecordingTool tool = RecordingTool.named("test.a");

    /** Between its admission and its thread a call has none, and its tool may leave just then. */
    @Test
    void aToolThatLeavesWaitsForACallThatHasNoThreadYet() throws Exception {
        CallRegistry registry = new CallRegistry();
        OutcomeDelivery outcomeDelivery = new OutcomeDelivery();
        ToolsSettings settings = new ToolsSettings(8, 60_000, 60_000, 1_048_576);
        CallThreads threads =
                new CallThreads(registry, new CallMetrics(), outcomeDelivery, settings);
        CompletableFuture<ToolOutcome> told = new CompletableFuture<>();
        Call call =
                registry.admit(
                                "call-1",
                                1,
                                settings,
                                () ->
                                        new Call(
                                                new ToolRegistry.Offer(
                                                        tool, tool.descriptor(), 0, 1),
                                                ExecutorFixture.order("test.a", "call-1", 1),
                                                told::complete))
                        .call();
        Thread leaving = Thread.ofPlatform().start(() -> threads.windDown(registry.callsOf(tool)));
        Await.until("the tool waits", () -> leaving.getState() == Thread.State.TIMED_WAITING);
        threads.launch(call, System.currentTimeMillis() + 60_000);
        assertEquals(Outcome.SUCCEEDED, told.get(60, TimeUnit.SECONDS).outcome());
        leaving.join();
        threads.close();
        outcomeDelivery.close(1_000);
    }
}
