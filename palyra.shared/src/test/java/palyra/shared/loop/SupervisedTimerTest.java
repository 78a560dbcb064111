package palyra.shared.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.core.ops.LoopView.State;

@Timeout(60)
class SupervisedTimerTest {
    private final SupervisedTimer timer =
            new SupervisedTimer(LoopSpec.of("timer-of-a-test", "test"));
    private final List<String> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        timer.close();
        assertEquals(State.STOPPED, timer.view().state());
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(30, TimeUnit.SECONDS));
    }

    @Test
    void whatIsDueIsDoneInOrderAndWhatWasCancelledIsNot() throws Exception {
        CountDownLatch last = new CountDownLatch(1);
        timer.after(40, TimeUnit.MILLISECONDS, last::countDown);
        timer.after(20, TimeUnit.MILLISECONDS, () -> done.add("cancelled")).cancel();
        timer.soon(() -> done.add("first"));
        timer.soon(() -> done.add("second"));
        await(last);
        assertEquals(List.of("first", "second"), done);
        assertEquals(0, timer.view().restarts());
    }

    @Test
    void anErrorKeepsNoOtherFromItsTimeAndIsSeen() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        timer.every(
                1,
                TimeUnit.MILLISECONDS,
                () -> {
                    rounds.countDown();
                    throw new NoClassDefFoundError("gone");
                });
        await(rounds);
        CountDownLatch other = new CountDownLatch(1);
        timer.soon(other::countDown);
        await(other);
        assertTrue(timer.view().restarts() >= 2);
        assertEquals("NoClassDefFoundError: gone", timer.view().lastFailure());
    }

    @Test
    void anInterruptionThatATaskLeftBehindIsNobodysFailure() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        timer.soon(() -> Thread.currentThread().interrupt());
        timer.soon(other::countDown);
        await(other);
        assertEquals(0, timer.view().restarts());
    }

    @Test
    void finishingDoesWhatIsDueAndNothingElse() {
        timer.after(1, TimeUnit.HOURS, () -> done.add("later"));
        timer.soon(() -> done.add("due"));
        assertTrue(timer.finish(30_000));
        timer.soon(() -> done.add("too late"));
        assertEquals(List.of("due"), done);
        assertTrue(timer.finish(1), "a second time");
    }

    @Test
    void whatBecomesDueAfterTheEndWasAskedForIsNotDone() {
        timer.soon(
                () -> {
                    while (timer.waiting() == 0) {
                        Thread.onSpinWait(); // until the end is asked for
                    }
                    timer.soon(() -> done.add("after the end"));
                });
        assertTrue(timer.finish(30_000));
        assertEquals(List.of(), done);
    }

    @Test
    void twoMayAskForTheEndAtOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        timer.soon(
                () -> {
                    while (timer.waiting() < 2) {
                        Thread.onSpinWait(); // until both have asked
                    }
                });
        FutureTask<Boolean> other =
                new FutureTask<>(
                        () -> {
                            go.countDown();
                            return timer.finish(600_000);
                        });
        new Thread(other, "other").start();
        await(go);
        assertTrue(timer.finish(600_000));
        assertTrue(other.get(30, TimeUnit.SECONDS));
    }

    @Test
    void finishingInterruptsWhatTakesTooLong() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        timer.soon(
                () -> {
                    begun.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        done.add("interrupted");
                    }
                });
        await(begun);
        assertFalse(timer.isClosed());
        assertTrue(timer.finish(1));
        assertEquals(List.of("interrupted"), done);
    }
}
