package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.gateway.internal.settings.Target;
import palyra.testing.wait.Await;

/** What a run waits for is its reason, and is not its reason any more when it goes on. */
class VisibleWaitTest extends OneGateway {
    private String reasonOf(String runId, String part) {
        return Await.value(
                "a reason with '" + part + "'",
                () ->
                        around.journal()
                                .run(runId)
                                .map(row -> row.reason())
                                .filter(reason -> reason.contains(part)));
    }

    @Test
    void serverThatWantsToBeAskedLaterIsTheReasonWithTheTime() {
        model.turn(
                        new ModelEvent.Failed(
                                ErrorCode.MODEL_FAILED,
                                "Too many requests.",
                                true,
                                FailureCause.RATE_LIMITED,
                                1_500))
                .answer("now");
        Submission run = gateway.submit("work");
        String reason = reasonOf(run.runId(), "is asked again at 20");
        assertTrue(reason.contains("Too many requests."), reason);
        assertTrue(reason.contains("attempt 2 of"), reason);
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals("", around.journal().run(run.runId()).orElseThrow().reason());
    }

    @Test
    void cancellingARunThatWaitsForItsServerEndsItAtOnce() {
        model.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED,
                        "Too many requests.",
                        true,
                        FailureCause.RATE_LIMITED,
                        3_600_000));
        Submission run = gateway.submit("work");
        String reason = reasonOf(run.runId(), "is asked again at 20");
        assertTrue(reason.contains("it wants 3600 s; at most 30 s are waited"), reason);
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
    }

    @Test
    void reasonOfAnEngineBeforeIsNotTheReasonOfThisOne() {
        model.turn(
                        new ModelEvent.Failed(
                                ErrorCode.MODEL_FAILED,
                                "Too many requests.",
                                true,
                                FailureCause.RATE_LIMITED,
                                3_600_000))
                .hold();
        Submission run = gateway.submit("work");
        reasonOf(run.runId(), "is asked again at 20");
        gateway.close();
        gateway = new LightGateway(around, model, "boot/2").awaitReady();
        Await.until("the model to be asked again", () -> model.requests().size() == 2);
        assertEquals("", around.journal().run(run.runId()).orElseThrow().reason());
    }

    @Test
    void silenceIsToldOnceAndTakenBack() {
        List<String> told = new ArrayList<>();
        Silence silence = new Silence(Target.parse("scripted/m"), told::add, 20);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        silence.tellIfDue(deadline);
        assertEquals(List.of(), told, "it has not lasted");
        Await.until("it to last", () -> silence.nanosUntilDue(Long.MAX_VALUE) == 0);
        silence.tellIfDue(deadline);
        silence.tellIfDue(deadline);
        assertEquals(1, told.size());
        assertTrue(told.getFirst().contains("has not begun to answer"), told.getFirst());
        assertTrue(told.getFirst().contains("is given up at the latest at 20"), told.getFirst());
        silence.broken();
        assertEquals(Optional.of(""), Optional.of(told.getLast()));
        Await.until("it to last again", () -> silence.nanosUntilDue(Long.MAX_VALUE) == 0);
        silence.tellIfDue(deadline);
        assertTrue(told.getLast().contains("stopped in its answer"), told.getLast());
    }
}
