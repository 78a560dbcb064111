package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
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
    private final AtomicReference<UnaryOperator<List<?>>> queued =
            new AtomicReference<>(UnaryOperator.identity());
    private final AtomicReference<Runnable> beforeLookAtSession = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> afterLookAtRunning = new AtomicReference<>(() -> {});

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        if (!call.of("runsIn")) {
            return call.proceed();
        }
        Set<?> states = (Set<?>) call.arguments()[0];
        String sessionId = (String) call.arguments()[1];
        if (!sessionId.isEmpty() && states.contains(RunState.ACCEPTED)) {
            beforeLookAtSession.get().run();
        }
        Object found = call.proceed();
        looked(states, sessionId, found);
        return sessionId.isEmpty() && states.contains(RunState.ACCEPTED)
                ? queued.get().apply((List<?>) found)
                : found;
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
        assertEquals(List.of("at work", "first", "second"), said());
    }

    private List<String> said() {
        return model.requests().stream()
                .map(request -> request.messages().getLast())
                .filter(ModelMessage.User.class::isInstance)
                .map(message -> ((ModelMessage.User) message).text())
                .toList();
    }

    /** As when the run before them ends between two looks at those that wait. */
    @Test
    void aSweepStartsNoRunBeforeAnOlderOneOfItsSession() {
        tool.holding();
        model.propose("test.effect", "{}").otherwise(RunQueueTest::hello);
        Submission atWork = gateway.submit(inSession("s", "at work"));
        tool.awaitCalls(1);
        gateway.submit(inSession("s", "first"));
        gateway.submit(inSession("s", "second"));
        Submission last = gateway.submit(inSession("s", "third"));
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch goneThrough = new CountDownLatch(1);
        beforeLookAtSession.set(
                () -> {
                    if (isOver(atWork)) {
                        looking.countDown();
                        await(goneThrough);
                    }
                });
        queued.set(
                found ->
                        found.size() < 3
                                ? found
                                : new AbstractList<Object>() {
                                    private int begun;

                                    @Override
                                    public Object get(int index) {
                                        begun += index == 0 ? 1 : 0;
                                        if (begun < 2) {
                                            return found.get(index); // they are noted
                                        }
                                        if (index == 1) { // the first one was met at work
                                            tool.release();
                                            RunQueueTest.await(looking);
                                        } else if (index == 2) {
                                            goneThrough.countDown();
                                        }
                                        return found.get(index);
                                    }

                                    @Override
                                    public int size() {
                                        return found.size();
                                    }
                                });
        assertEquals(RunState.SUCCEEDED, gateway.ended(last.runId()).state());
        assertEquals(0, looking.getCount());
        assertEquals(List.of("at work", "first", "second", "third"), said());
    }

    private boolean isOver(Submission run) {
        return around.journal().run(run.runId()).orElseThrow().state().terminal();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
