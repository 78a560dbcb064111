package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.core.gateway.ConcurrencyLimits;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.testing.wait.Await;

/** How many runs of a surface work at a time. */
class ConcurrencyLimitTest extends OneGateway {
    private final AtomicInteger most = new AtomicInteger(2);
    private final ConcurrencyLimits limits =
            surface -> surface.equals("fake:slow") ? most.get() : ConcurrencyLimits.UNKNOWN;

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
        gateway.services.limits().add(limits, Map.of());
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

    /** The bundle with the rules is replaced: what it said last counts. */
    @Test
    void countsWhileTheServiceIsAway() {
        gateway.services.limits().add(limits, Map.of());
        model.answer("known now");
        assertEquals(
                RunState.SUCCEEDED, gateway.ended(submit("fake:slow", "first").runId()).state());
        gateway.services.limits().remove(limits);
        List<Submission> slow = flood(3);
        tool.awaitCalls(2);
        assertEquals(RunState.ACCEPTED, state(slow.get(2)));
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(slow.get(2).runId()).state());
    }

    @Test
    void isChangedWhileRunsWait() {
        gateway.services.limits().add(limits, Map.of());
        flood(4);
        tool.awaitCalls(2);
        most.set(4);
        Await.until("the others to work", () -> working() == 4);
    }
}
