package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.testing.wait.Await;

/** What the engine reads to find its next run, and what may happen while it reads. */
class RunQueueTest extends OneGateway {
    private final AtomicInteger sessionsLookedAt = new AtomicInteger();
    private final AtomicReference<Runnable> afterLookAtRunning = new AtomicReference<>(() -> {});

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        Object found = call.proceed();
        if (call.of("runsIn")) {
            looked((Set<?>) call.arguments()[0], (String) call.arguments()[1], found);
        }
        return found;
    }

    private void looked(Set<?> states, String sessionId, Object found) {
        if (!sessionId.isEmpty() && states.contains(RunState.ACCEPTED)) {
            sessionsLookedAt.incrementAndGet();
        }
        if (states.contains(RunState.RUNNING) && found instanceof List<?> runs && !runs.isEmpty()) {
            afterLookAtRunning.get().run();
        }
    }

    private RunRow ended(Submission run) {
        RunRow row = gateway.ended(run.runId());
        Await.until("its worker to end", () -> gateway.host.activeRuns() == 0);
        return row;
    }

    @Test
    void nobodyLooksForQueuedRunsBehindOneThatNoneWaitsFor() {
        for (int i = 0; i < 10; i++) {
            model.answer("hello");
            assertEquals(RunState.SUCCEEDED, ended(gateway.submit("hello")).state());
        }
        assertEquals(0, sessionsLookedAt.get());
    }

    @Test
    void runsThatWaitBehindEachOtherAllRun() {
        tool.holding();
        model.propose("test.effect", "{}").otherwise(RunQueueTest::hello);
        gateway.submit("first");
        tool.awaitCalls(1);
        List<Submission> waiting =
                List.of(gateway.submit("a"), gateway.submit("b"), gateway.submit("c"));
        tool.release();
        for (Submission run : waiting) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        }
        Await.until("the last worker to end", () -> gateway.host.activeRuns() == 0);
        Await.until("an end after which nobody looks, as nothing waits", this::endsWithoutALook);
    }

    /** As when a limit holds the session's next run back: a newer message may not overtake it. */
    @Test
    void aMessageDoesNotOvertakeOneThatWaitsThoughItsSessionIsFree() {
        gateway.host.limits().limit(Map.of("shell", 1));
        tool.holding();
        model.propose("test.effect", "{}").otherwise(RunQueueTest::hello);
        gateway.submit(inSession("other", "at work"));
        tool.awaitCalls(1);
        Submission first = gateway.submit(inSession("s", "first"));
        gateway.host.limits().limit(Map.of());
        Submission second = gateway.submit(inSession("s", "second"));
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(first.runId()).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        List<String> said =
                model.requests().stream()
                        .map(request -> request.messages().getLast())
                        .filter(ModelMessage.User.class::isInstance)
                        .map(message -> ((ModelMessage.User) message).text())
                        .toList();
        assertEquals(List.of("at work", "first", "second"), said);
    }

    private static SubmittedMessage inSession(String session, String text) {
        return new SubmittedMessage("shell", "", "", session, "", "", "", text, "", false);
    }

    /** A look that read a queued run before it started may note it after it ended: once more. */
    private boolean endsWithoutALook() {
        int before = sessionsLookedAt.get();
        assertEquals(RunState.SUCCEEDED, ended(gateway.submit("later")).state());
        return sessionsLookedAt.get() == before;
    }

    private static List<ModelEvent> hello(ModelRequest request) {
        return List.of(new ModelEvent.TextDelta("hello"), new ModelEvent.Finished("stop", 1, 1));
    }

    /** What the sweep read as running has no worker because it is over, not because it was lost. */
    @Test
    void aRunThatEndsWhileItIsLookedForGetsNoSecondWorker() throws Exception {
        CountDownLatch endedWhileRead = new CountDownLatch(1);
        CountDownLatch lookedAgain = new CountDownLatch(1);
        tool.holding();
        model.propose("test.effect", "{}").answer("done");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        afterLookAtRunning.set(
                () -> {
                    afterLookAtRunning.set(lookedAgain::countDown);
                    tool.release();
                    ended(run);
                    endedWhileRead.countDown();
                });
        assertTrue(endedWhileRead.await(20, TimeUnit.SECONDS));
        model.hold(new ModelEvent.TextDelta("still here"));
        Submission next = gateway.submit("more work");
        assertTrue(lookedAgain.await(20, TimeUnit.SECONDS));
        gateway.cancel(next.runId());
        assertEquals(RunState.CANCELLED, ended(next).state());
        assertEquals(2, gateway.host.startedRuns(), "one worker for each run");
    }
}
