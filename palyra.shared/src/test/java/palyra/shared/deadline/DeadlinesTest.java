package palyra.shared.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

class DeadlinesTest {
    private static final long LONG = 600_000;

    private final SupervisedTimer thread =
            new SupervisedTimer(LoopSpec.of("deadlines-of-a-test", "test"));
    private final Deadlines deadlines = new Deadlines(thread);

    @AfterEach
    void end() {
        thread.close();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(30, TimeUnit.SECONDS));
    }

    @Test
    void whatIsOverIsRunAndWhatWasCancelledIsNot() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch last = new CountDownLatch(1);
        Deadlines.Deadline cancelled = deadlines.after(20, () -> ran.add("cancelled"));
        deadlines.after(10, () -> ran.add("first"));
        deadlines.after(60, last::countDown);
        cancelled.cancel();
        await(last);
        assertEquals(List.of("first"), ran);
    }

    @Test
    void anEarlierOneDoesNotWaitForALaterOneThatWasThereBefore() throws Exception {
        CountDownLatch early = new CountDownLatch(1);
        deadlines.after(LONG, () -> {});
        deadlines.after(5, early::countDown);
        await(early);
    }

    @Test
    void theOthersComeToPassWhenTheEarliestWasCancelled() throws Exception {
        CountDownLatch later = new CountDownLatch(2);
        Deadlines.Deadline earliest = deadlines.after(5, () -> {});
        deadlines.after(10, later::countDown);
        deadlines.after(30, later::countDown);
        earliest.cancel();
        await(later);
    }

    @Test
    void oneThatFailsKeepsNoOtherFromItsTime() throws Exception {
        CountDownLatch others = new CountDownLatch(2);
        Runnable failing =
                () -> {
                    throw new IllegalStateException("made to fail");
                };
        CountDownLatch held = new CountDownLatch(1);
        thread.soon(
                () -> {
                    try {
                        held.await(); // so that all are over when they are looked at
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        deadlines.after(1, failing);
        deadlines.after(1, others::countDown);
        deadlines.after(1, failing);
        deadlines.after(1, others::countDown);
        deadlines.after(100, failing);
        held.countDown();
        await(others);
    }

    /** One call after the other, each with the same time: the thread is not woken for each. */
    @Test
    void manyThatAreCancelledCostTheThreadNothing() {
        for (int i = 0; i < 1_000; i++) {
            deadlines.after(LONG, () -> {}).cancel();
        }
        assertEquals(1, thread.waiting());
    }

    @Test
    void afterTheEndOfTheThreadNothingIsRunAndNothingThrown() {
        deadlines.after(LONG, () -> {});
        thread.close();
        deadlines.after(1, () -> {}).cancel();
    }
}
