package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.PalyraException;

/** When the first tests of a start begin. */
@Timeout(120)
class CanaryStartTest extends CanariesFixture {
    private final AtomicInteger firsts = new AtomicInteger();

    CanaryStartTest() {
        waitsForTheGateway = true;
        first = this::failsOnce;
    }

    private void failsOnce() {
        if (firsts.incrementAndGet() == 1) {
            throw new AssertionError("made up");
        }
    }

    @Test
    void testsBeginOnceTheGatewayIsUp() throws InterruptedException {
        add();
        Thread.sleep(1_500); // more than one look
        assertTrue(canaries.canaryStatus(holding).report().isEmpty());
        assertEquals(0, firsts.get());
        canaries.gatewayIsUp();
        awaitState(CanaryStatus.State.PROVEN);
        assertEquals(2, firsts.get(), "again after an Error, and once after success");
        assertEquals(1, canaries.loop().restarts());
        assertEquals("AssertionError: made up", canaries.loop().lastFailure());
    }

    @Test
    void testsBeginWhenSomebodyWaitsForASandbox() {
        add();
        assertThrows(PalyraException.class, () -> canaries.proof(holding)); // refused until proven
        awaitState(CanaryStatus.State.PROVEN);
    }

    @Test
    void closingDoesNotWaitForTheGateway() {
        add();
        canaries.close();
    }
}
