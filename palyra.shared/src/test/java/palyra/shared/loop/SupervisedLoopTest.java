package palyra.shared.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.LoopView.State;

@Timeout(30)
class SupervisedLoopTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Backoff SHORT =
            new Backoff(Duration.ofNanos(1), Duration.ofNanos(1), Duration.ofMinutes(1));
    private static final Backoff LONG =
            new Backoff(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
    private static final LoopSpec SPEC = LoopSpec.of("loop-of-a-test", "test").withBackoff(SHORT);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch works = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private SupervisedLoop loop;

    @AfterEach
    void end() {
        if (loop != null) {
            assertTrue(loop.close(10_000), "the loop ends when it is closed");
        }
    }

    private SupervisedLoop started(LoopSpec spec, LoopBody body) {
        loop = new SupervisedLoop(spec, body, nanos::get, InstantSource.fixed(NOW));
        return loop.start();
    }

    private static boolean within(CountDownLatch latch) throws InterruptedException {
        return latch.await(10, TimeUnit.SECONDS);
    }

    /** Everything that a body may throw. */
    static List<Throwable> thrown() {
        return List.of(
                new IllegalStateException("a defect"),
                new NoClassDefFoundError("gone"),
                new UnsatisfiedLinkError("no library"),
                new OutOfMemoryError("memory"),
                new StackOverflowError("deep"),
                new AssertionError("wrong"),
                new InterruptedException("while nothing is stopping"),
                new Throwable("anything"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void beginsAgainAfterWhateverIsThrownAndKeepsIt(Throwable failure) throws Exception {
        started(
                SPEC,
                pulse -> {
                    if (begun.incrementAndGet() == 1) {
                        sneak(failure);
                    }
                    works.countDown();
                    go.await();
                });
        assertTrue(within(works), "the body was begun again");
        LoopView view = loop.view();
        assertEquals(State.RUNNING, view.state());
        assertEquals(1, view.restarts());
        assertEquals(
                failure.getClass().getSimpleName() + ": " + failure.getMessage(),
                view.lastFailure());
        assertEquals(NOW, view.lastFailureAt());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void aLoopWithoutFailureHasNone() throws Exception {
        started(
                SPEC.asEssential(),
                pulse -> {
                    works.countDown();
                    go.await();
                });
        assertTrue(within(works));
        LoopView view = loop.view();
        assertEquals(State.RUNNING, view.state());
        assertEquals(0, view.restarts());
        assertEquals("", view.lastFailure());
        assertTrue(view.essential());
        assertEquals("loop-of-a-test", view.name());
        go.countDown();
        assertTrue(loop.join(10_000));
        assertEquals(State.STOPPED, loop.view().state());
    }

    @Test
    void aStopEndsTheWaitAndLetsTheBodySettleOnce() throws Exception {
        CountDownLatch settled = new CountDownLatch(1);
        started(
                SPEC.withBackoff(LONG),
                pulse -> {
                    if (pulse.isStopping()) {
                        settled.countDown();
                    }
                    begun.incrementAndGet();
                    works.countDown();
                    throw new AssertionError("always");
                });
        assertTrue(within(works));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (loop.view().state() != State.BACKING_OFF && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(State.BACKING_OFF, loop.view().state());
        assertTrue(loop.view().isFailing());
        loop.stop();
        assertTrue(within(settled), "the body was begun once more");
        assertTrue(loop.join(10_000));
        assertEquals(2, begun.get());
        assertEquals(State.STOPPED, loop.view().state());
    }

    @Test
    void aBodyThatFailsWhileItStopsBeginsOnceMore() throws Exception {
        loop =
                new SupervisedLoop(
                        SPEC,
                        pulse -> {
                            begun.incrementAndGet();
                            throw new NoClassDefFoundError("gone");
                        });
        loop.stop(); // before the thread has run: no beginning has seen another state
        loop.start();
        assertTrue(loop.join(10_000));
        assertEquals(2, begun.get());
        assertEquals(State.STOPPED, loop.view().state());
    }

    @Test
    void aStepBeyondItsLongestTimeIsStalledAndAnIdleLoopIsNot() throws Exception {
        CountDownLatch idle = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        started(
                SPEC.withLongestStep(Duration.ofSeconds(5)),
                pulse -> {
                    pulse.beat();
                    works.countDown();
                    go.await();
                    pulse.idle();
                    idle.countDown();
                    end.await();
                });
        assertTrue(within(works));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertEquals(State.RUNNING, loop.view().state());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertEquals(State.STALLED, loop.view().state());
        assertEquals(7_000, loop.view().beatAgeMillis());
        assertEquals(NOW.minusSeconds(2), loop.view().since());
        go.countDown();
        assertTrue(within(idle));
        nanos.addAndGet(TimeUnit.HOURS.toNanos(5));
        assertEquals(State.RUNNING, loop.view().state());
        end.countDown();
    }

    @Test
    void aRoundThatThrowsIsFollowedByOthers() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        loop =
                SupervisedLoop.every(
                                SPEC,
                                Duration.ofNanos(1),
                                () -> {
                                    rounds.countDown();
                                    if (begun.incrementAndGet() == 1) {
                                        throw new NoClassDefFoundError("gone");
                                    }
                                })
                        .start();
        assertTrue(within(rounds), "rounds go on after an Error");
        assertEquals(1, loop.view().restarts());
    }

    @Test
    void backoffDoublesUpToItsLimit() {
        assertEquals(Duration.ofMillis(100), Backoff.USUAL.after(1));
        assertEquals(Duration.ofMillis(400), Backoff.USUAL.after(3));
        assertEquals(Duration.ofSeconds(30), Backoff.USUAL.after(1_000));
    }

    @Test
    void aLoopThatWasNeverStartedEndsAtOnce() throws Exception {
        SupervisedLoop never = new SupervisedLoop(SPEC, pulse -> {});
        assertEquals(State.STOPPED, never.view().state());
        never.stop();
        assertTrue(never.join(1));
        assertFalse(never.isAlive());
    }
}
