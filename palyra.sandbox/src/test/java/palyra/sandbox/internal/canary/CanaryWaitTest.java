package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.BackendStatus;
import palyra.testing.wait.Await;

/** A call waits for the first test of its sandbox, and for nothing that will not come. */
@Timeout(120)
class CanaryWaitTest extends CanariesFixture {
    CanaryWaitTest() {
        waitsForTheGateway = true;
        patienceMillis = LONG.toMillis();
    }

    @Test
    void aCallSoonAfterTheStartWaitsForTheFirstTest() {
        add();
        assertFalse(canaries.proof(holding).isEmpty());
        assertEquals(CanaryStatus.State.PROVEN, canaries.canaryStatus(holding).state());
    }

    @Test
    void aSandboxThatFailsItsFirstTestRefusesTheCallThatWaited() {
        holding.networkOpen = true;
        add();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> canaries.proof(holding));
        assertTrue(refused.getMessage().contains("failed"), refused.getMessage());
    }

    @Test
    void aCallDoesNotWaitForTestsThatWereClosed() {
        add();
        canaries.close();
        assertThrows(PalyraException.class, () -> canaries.proof(holding));
    }

    /** As while the launcher of processes is swapped: it was ready a moment ago. */
    @Test
    void aCallWaitsForASandboxThatWasReadyAMomentAgo() throws Exception {
        add();
        assertFalse(canaries.proof(holding).isEmpty());
        BackendStatus ready = holding.status;
        holding.status = BackendStatus.refusing("There is no launcher.", "", Map.of());
        FutureTask<String> call = new FutureTask<>(() -> canaries.proof(holding));
        Thread caller = Thread.ofPlatform().daemon().start(call);
        Await.until(
                "the call to wait",
                LONG,
                () -> caller.getState() == Thread.State.TIMED_WAITING || call.isDone());
        assertFalse(call.isDone(), "it did not wait");
        holding.status = ready;
        assertFalse(call.get(LONG.toSeconds(), TimeUnit.SECONDS).isEmpty());
    }

    /** As when its bundle is replaced a second time: the call goes on with the next sandbox. */
    @Test
    void aCallDoesNotWaitForASandboxThatIsGone() throws Exception {
        add();
        assertFalse(canaries.proof(holding).isEmpty());
        holding.status = BackendStatus.refusing("There is no launcher.", "", Map.of());
        FutureTask<String> call = new FutureTask<>(() -> canaries.proof(holding));
        Thread.ofPlatform().daemon().start(call);
        backends.remove(holding);
        assertThrows(
                ExecutionException.class, () -> call.get(LONG.toSeconds() / 2, TimeUnit.SECONDS));
    }

    @Test
    void anInterruptionEndsTheWait() throws Exception {
        holding.held = new CountDownLatch(1);
        add();
        FutureTask<String> call = new FutureTask<>(() -> canaries.proof(holding));
        Thread caller = Thread.ofPlatform().daemon().start(call);
        caller.interrupt();
        assertThrows(
                ExecutionException.class, () -> call.get(LONG.toSeconds() / 2, TimeUnit.SECONDS));
        holding.held.countDown();
    }

    /** Its own short patience is over long before the test is. */
    @Test
    void aCallWaitsAsLongAsTheTestIsUnderWay() throws Exception {
        holding.held = new CountDownLatch(1);
        add();
        FutureTask<String> call =
                new FutureTask<>(
                        () -> {
                            canaries.awaitTest(holding, LONG.toMillis());
                            return canaries.canaryStatus(holding).state().name();
                        });
        Thread caller = Thread.ofPlatform().daemon().start(call);
        Await.until(
                "the call to wait",
                LONG,
                () -> caller.getState() == Thread.State.TIMED_WAITING || call.isDone());
        assertFalse(call.isDone(), "it did not wait");
        holding.held.countDown();
        assertEquals("PROVEN", call.get(LONG.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aCallWhoseTimeIsOverDuringTheTestSaysHowLongItWaitedAndWhatToDo() {
        holding.held = new CountDownLatch(1);
        add();
        String refused =
                assertThrows(PalyraException.class, () -> canaries.awaitTest(holding, 300))
                        .getMessage();
        assertTrue(refused.contains("is still being tested. The call waited 0 s"), refused);
        assertTrue(refused.contains("Try the same call again"), refused);
        assertTrue(refused.contains("timeout_ms"), refused);
        holding.held.countDown();
    }

    /** Nothing will come by itself soon, so the call is not held up for its whole time. */
    @Test
    void aCallDoesNotWaitForATestThatFailsByItself() {
        unprobed = new IllegalStateException("no such probe");
        add();
        Await.until(
                "the cause",
                LONG,
                () -> {
                    canaries.awaitTest(holding, LONG.toMillis());
                    return canaries.canaryStatus(holding).cause().contains("no such probe");
                });
        assertThrows(PalyraException.class, () -> canaries.proof(holding));
    }
}
