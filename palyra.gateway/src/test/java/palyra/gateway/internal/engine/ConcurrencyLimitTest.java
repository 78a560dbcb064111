package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;

/** How many runs of a surface work at a time. */
class ConcurrencyLimitTest extends OneGateway {
    private void limit(Map<String, Integer> mostRuns) {
        gateway.host.limits().limit(mostRuns);
    }

    private Submission submit(String surface, String session) {
        return gateway.submit(
                new SubmittedMessage(
                        surface, "", "", session, "", surface, "", "hello", "", false));
    }

    private List<Submission> flood(int count) {
        model.otherwise(OneGateway::callThenAnswer);
        tool.holding();
        List<Submission> runs = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> runs.add(submit("fake:slow", "s" + i)));
        return runs;
    }

    private long working() {
        return tool.calls().size();
    }

    @Test
    void runsBeyondItWaitAndHoldUpNoOtherSurface() {
        limit(Map.of("fake:slow", 2));
        List<Submission> slow = flood(6);
        tool.awaitCalls(2);
        Submission other = submit("fake:quick", "o");
        tool.awaitCalls(3);
        assertEquals(
                List.of(RunState.RUNNING, RunState.RUNNING, RunState.ACCEPTED),
                slow.subList(0, 3).stream().map(this::state).toList());
        assertEquals(3, working());
        tool.release();
        slow.forEach(run -> assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state()));
        assertEquals(RunState.SUCCEEDED, gateway.ended(other.runId()).state());
    }

    private RunState state(Submission run) {
        return around.journal().run(run.runId()).orElseThrow().state();
    }

    @Test
    void countsForEachSurfaceByItself() {
        limit(Map.of("fake:*", 2, "fake:quick", 1, "*:*", 5));
        List<Submission> slow = flood(3);
        tool.awaitCalls(2);
        submit("fake:quick", "q1");
        Submission second = submit("fake:quick", "q2");
        tool.awaitCalls(3);
        assertEquals(RunState.ACCEPTED, state(slow.get(2)));
        assertEquals(RunState.ACCEPTED, state(second));
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(slow.get(2).runId()).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
    }

    @Test
    void aLimitBelowOneIsRefused() {
        assertThrows(PalyraException.class, () -> limit(Map.of("fake:slow", 0)));
    }

    /** The bundle that told it may be stopped while the gateway is replaced. */
    @Test
    void outlivesTheGateway() {
        limit(Map.of("fake:slow", 2));
        Await.until(
                "it to be kept",
                () -> around.journal().document("surface_limits", "all").isPresent());
        gateway.close();
        gateway =
                new LightGateway(around, model, "boot/2", real -> real, FakeAccess.forTools())
                        .awaitReady()
                        .offering("test.effect");
        flood(4);
        submit("fake:quick", "q");
        tool.awaitCalls(3);
        assertEquals(3, working());
    }

    @Test
    void isChangedWhileRunsWait() {
        limit(Map.of("fake:slow", 2));
        flood(4);
        tool.awaitCalls(2);
        limit(Map.of("fake:slow", 4));
        Await.until("the others to work", () -> working() == 4);
    }
}
