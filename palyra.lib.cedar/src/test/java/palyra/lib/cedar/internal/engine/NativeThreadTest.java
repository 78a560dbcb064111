package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.testing.wait.Await;

final class NativeThreadTest {
    private static final long PATIENCE = 60_000;

    private final NativeThread thread = new NativeThread("palyra-cedar", 2);
    private final CountDownLatch hold = new CountDownLatch(1);

    @AfterEach
    void stop() {
        hold.countDown();
        thread.close();
    }

    @Test
    void anErrorOfAChoreEndsNeitherTheThreadNorTheCallAfterIt() {
        thread.later(
                () -> {
                    throw new AssertionError("made up");
                });
        assertEquals("answer", thread.call(() -> "answer", PATIENCE));
        assertFalse(thread.ended());
    }

    private CompletableFuture<Throwable> inBackground(Runnable call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        call.run();
                        return null;
                    } catch (CedarException e) {
                        return e;
                    }
                },
                each -> new Thread(each, "caller").start());
    }

    private void occupy() {
        inBackground(() -> thread.call(this::held, PATIENCE));
        Await.until("the thread to be busy", () -> thread.busyMillis() > 0);
    }

    private Boolean held() throws InterruptedException {
        return hold.await(PATIENCE, TimeUnit.MILLISECONDS);
    }

    private Reason reason(Runnable call) {
        return assertThrows(CedarException.class, call::run).reason();
    }

    @Test
    void runsEverythingOnOneDeepThreadOfItsOwn() {
        Thread first = thread.call(Thread::currentThread, PATIENCE);
        assertSame(first, thread.call(Thread::currentThread, PATIENCE));
        assertEquals("palyra-cedar", first.getName());
        assertFalse(first.isVirtual());
        assertEquals(500_000, thread.call(() -> depth(500_000), PATIENCE));
    }

    private static int depth(int levels) {
        return levels == 0 ? 0 : 1 + depth(levels - 1);
    }

    @Test
    void refusesWhenTooManyWait() {
        occupy();
        inBackground(() -> thread.call(() -> 1, PATIENCE));
        inBackground(() -> thread.call(() -> 1, PATIENCE));
        Await.until("two to wait", () -> thread.waiting() == 2);
        assertEquals(Reason.BUSY, reason(() -> thread.call(() -> 1, PATIENCE)));
        hold.countDown();
        Await.until("the queue to be empty", Duration.ofSeconds(60), () -> thread.waiting() == 0);
        assertEquals(1, thread.call(() -> 1, PATIENCE));
    }

    @Test
    void givesUpAtTheDeadlineAndNeverRunsWhatWasGivenUp() {
        occupy();
        AtomicBoolean ran = new AtomicBoolean();
        assertEquals(Reason.TIMED_OUT, reason(() -> thread.call(() -> run(ran), 20)));
        assertEquals(0, thread.waiting());
        hold.countDown();
        assertEquals(1, thread.call(() -> 1, PATIENCE));
        assertFalse(ran.get());
    }

    private static boolean run(AtomicBoolean ran) {
        ran.set(true);
        return true;
    }

    @Test
    void endsTheWaitOnAnInterruptAndKeepsTheFlag() {
        occupy();
        Thread.currentThread().interrupt();
        assertEquals(Reason.INTERRUPTED, reason(() -> thread.call(() -> 1, PATIENCE)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void survivesWorkThatFails() {
        assertEquals(
                Reason.FAILED,
                reason(() -> thread.call(() -> fail(new StackOverflowError()), PATIENCE)));
        assertEquals(
                Reason.FAILED,
                reason(() -> thread.call(() -> fail(new OutOfMemoryError()), PATIENCE)));
        assertEquals(
                Reason.FAILED,
                reason(() -> thread.call(() -> fail(new IllegalStateException("x")), PATIENCE)));
        assertEquals(1, thread.call(() -> 1, PATIENCE));
    }

    private static Object fail(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) cause;
    }

    @Test
    void doesChoresBeforeTheNextCallAndAlsoWithoutOne() {
        AtomicReference<String> order = new AtomicReference<>("");
        thread.later(() -> order.set(order.get() + "chore "));
        thread.call(() -> order.updateAndGet(text -> text + "call"), PATIENCE);
        assertEquals("chore call", order.get());
        AtomicBoolean ran = new AtomicBoolean();
        thread.later(() -> ran.set(true));
        Await.until("a chore without a call", Duration.ofSeconds(60), ran::get);
    }

    @Test
    void refusesThoseThatWaitWhenItStops() throws Exception {
        occupy();
        CompletableFuture<Throwable> waiting = inBackground(() -> thread.call(() -> 1, PATIENCE));
        Await.until("one to wait", () -> thread.waiting() == 1);
        thread.close();
        Throwable refused = waiting.get(PATIENCE, TimeUnit.MILLISECONDS);
        assertEquals(Reason.UNAVAILABLE, ((CedarException) refused).reason());
        assertEquals(Reason.UNAVAILABLE, reason(() -> thread.call(() -> 1, PATIENCE)));
    }

    @Test
    void saysWhyThereIsNoLibrary() {
        CedarEngine engine =
                new CedarEngine(
                        Engines.settings(),
                        2,
                        CompletableFuture.supplyAsync(
                                () -> NativeLibrary.load("palyra_no_such_library")));
        assertFalse(engine.status().available());
        assertTrue(
                engine.status().reason().contains("palyra_no_such_library"),
                engine.status().reason());
        CedarException refused =
                assertThrows(
                        CedarException.class,
                        () -> engine.compile(CompileRequest.of(List.of(CedarFile.of("a", "")))));
        assertEquals(Reason.UNAVAILABLE, refused.reason());
        assertEquals(engine.status().reason(), refused.getMessage());
        assertThrows(CedarException.class, () -> engine.checkSchema(Engines.schema()));
        engine.close();
    }
}
