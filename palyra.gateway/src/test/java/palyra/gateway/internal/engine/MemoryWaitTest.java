package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.memory.MemoryPool;
import palyra.gateway.internal.engine.memory.MemoryUse;
import palyra.gateway.internal.settings.MemorySettings;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/** Large answers hold all memory that they may: others see why they wait, and small ones do not. */
class MemoryWaitTest {
    private static final long TOTAL = 4L << 20;
    private static final MemorySettings MEMORY =
            new MemorySettings(TOTAL, TOTAL / 4, 1 << 20, 1 << 20);

    /** Two of these fill the common part, but for some bytes; one is the first. */
    private static final ModelEvent LARGE = new ModelEvent.TextDelta("x".repeat(118_000));

    private static final int LARGE_HELD = 3;

    @TempDir Path state;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    private void open(MemoryPool memory) {
        around = new LightGateway.Surroundings(state, "boot");
        around.memory = memory;
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/1",
                                real -> real,
                                FakeAccess.forTools(),
                                LightGateway.settings().with(MEMORY))
                        .awaitReady();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private String submitIn(String session) {
        return gateway.submit(Wanted.saying("go").in(session).message()).runId();
    }

    private RunRow row(String runId) {
        return around.journal().run(runId).orElseThrow();
    }

    private List<String> drip(int runs) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            model.hold(LARGE);
            ids.add(submitIn("drip " + i));
        }
        return ids;
    }

    private List<String> waiting(List<String> runs) {
        return runs.stream()
                .filter(runId -> row(runId).reason().startsWith("waiting for memory: "))
                .toList();
    }

    @Test
    void waitForMemoryIsTheReasonWithItsTimeUntilItIsOver() {
        open(new MemoryPool());
        List<String> runs = drip(LARGE_HELD + 2);
        Await.until("two to wait", () -> waiting(runs).size() == 2);
        List<String> waiting = waiting(runs);
        String reason = row(waiting.getFirst()).reason();
        assertTrue(
                reason.matches(
                        "waiting for memory: the runs hold [0-9]+ of "
                                + TOTAL
                                + " bytes \\(runMemoryBytes of palyra.gateway\\), until"
                                + " 20[-0-9T:]+Z at the latest"),
                reason);
        MemoryUse use = gateway.services.memory().use();
        assertEquals(2, use.waiting());
        assertEquals(3, use.largest().size());
        assertTrue(use.usedBytes() <= TOTAL, () -> use.toString());
        runs.stream().filter(runId -> !waiting.contains(runId)).forEach(gateway::cancel);
        Await.until("the wait to be over", () -> waiting(runs).isEmpty());
        for (String runId : waiting) {
            assertEquals(RunState.RUNNING, row(runId).state());
            assertEquals("", row(runId).reason());
        }
    }

    @Test
    void smallTurnIsAnsweredWhileLargeAnswersHoldAllThatTheyMay() {
        open(new MemoryPool());
        List<String> runs = drip(LARGE_HELD + 2);
        Await.until("two to wait", () -> waiting(runs).size() == 2);
        for (int i = 0; i < 3; i++) {
            model.answer("Good day.");
            RunRow hello = gateway.ended(submitIn("hello " + i));
            assertEquals(RunState.SUCCEEDED, hello.state(), hello.reason());
        }
        assertEquals(2, waiting(runs).size(), "nothing became free meanwhile");
    }

    @Test
    void answerThatDripsGivesWayAndIsAskedForAgain() {
        open(new MemoryPool(50, 100));
        List<String> dripping = drip(LARGE_HELD);
        Await.until(
                "them to hold what they may",
                () -> gateway.services.memory().used() > LARGE_HELD * 900_000L);
        model.turn(LARGE, new ModelEvent.Finished("stop", 1, 1));
        model.otherwise(
                request ->
                        List.of(
                                new ModelEvent.TextDelta("short"),
                                new ModelEvent.Finished("stop", 1, 1)));
        RunRow late = gateway.ended(submitIn("late"));
        assertEquals(RunState.SUCCEEDED, late.state(), late.reason());
        String gaveWay =
                Await.value(
                        "one of them to be asked for again",
                        () -> dripping.stream().filter(this::gaveWay).findFirst());
        assertEquals(RunState.SUCCEEDED, gateway.ended(gaveWay).state());
        assertEquals(
                2,
                dripping.stream().filter(id -> row(id).state() == RunState.RUNNING).count(),
                "the others were not in the way");
    }

    private boolean gaveWay(String runId) {
        return gateway.records(runId, TapeEvent.TurnRestarted.class).stream()
                .anyMatch(each -> each.reason().startsWith("The turn gave way to others"));
    }
}
