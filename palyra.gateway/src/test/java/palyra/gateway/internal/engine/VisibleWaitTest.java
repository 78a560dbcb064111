package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.seam.ModelWaits;
import palyra.gateway.internal.settings.ModelTarget;
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
    void silenceNamesTheNearerLimitWhichEndsTheAttempt() {
        long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        long soon = System.currentTimeMillis() + 60_000;
        long later = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1);
        assertTrue(
                told(deadline, soon)
                        .endsWith(
                                " at the latest at "
                                        + Instant.ofEpochMilli(soon).truncatedTo(ChronoUnit.SECONDS)
                                        + ", by the time limits of its provider"),
                told(deadline, soon));
        assertTrue(told(deadline, later).endsWith(", by turnTimeoutMillis"));
        assertTrue(told(deadline, 0).endsWith(", by turnTimeoutMillis"));
    }

    private static String told(long deadlineNanos, long providerEndMillis) {
        List<String> told = new ArrayList<>();
        WaitNotice silence = new WaitNotice(ModelTarget.parse("scripted/m"), told::add, 0);
        silence.tellIfDue(deadlineNanos, () -> providerEndMillis);
        return told.getFirst();
    }

    @Test
    void runThatWaitsForItsServerIsKnownToTheDoctorUntilItGoesOn() {
        model.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED,
                        "Too many requests.",
                        true,
                        FailureCause.RATE_LIMITED,
                        3_600_000));
        Submission run = gateway.submit("work");
        reasonOf(run.runId(), "is asked again at 20");
        ModelWaits.Wait wait = gateway.services.models().waits().all().getFirst();
        assertEquals(run.runId(), wait.runId());
        assertEquals("scripted", wait.provider());
        assertTrue(wait.sentence().contains("Too many requests."), wait.sentence());
        gateway.cancel(run.runId());
        gateway.ended(run.runId());
        Await.until("the worker to leave", () -> gateway.services.models().waits().all().isEmpty());
    }

    @Test
    void silenceIsToldOnceAndTakenBack() {
        List<String> told = new ArrayList<>();
        WaitNotice silence = new WaitNotice(ModelTarget.parse("scripted/m"), told::add, 20);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        silence.tellIfDue(deadline, () -> 0);
        assertEquals(List.of(), told, "it has not lasted");
        Await.until("it to last", () -> silence.nanosUntilDue(Long.MAX_VALUE) == 0);
        silence.tellIfDue(deadline, () -> 0);
        silence.tellIfDue(deadline, () -> 0);
        assertEquals(1, told.size());
        assertTrue(told.getFirst().contains("has not begun to answer"), told.getFirst());
        assertTrue(told.getFirst().contains("is given up at the latest at 20"), told.getFirst());
        silence.broken();
        assertEquals(Optional.of(""), Optional.of(told.getLast()));
        Await.until("it to last again", () -> silence.nanosUntilDue(Long.MAX_VALUE) == 0);
        silence.tellIfDue(deadline, () -> 0);
        assertTrue(told.getLast().contains("stopped in its answer"), told.getLast());
    }
}
