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
        first = firsts::incrementAndGet;
    }

    @Test
    void testsBeginOnceTheGatewayIsUp() throws InterruptedException {
        add();
        Thread.sleep(1_500); // more than one look
        assertTrue(canaries.standing(holding).report().isEmpty());
        assertEquals(0, firsts.get());
        canaries.gatewayIsUp();
        awaitState(Standing.State.PROVEN);
        assertEquals(1, firsts.get());
    }

    @Test
    void testsBeginWhenSomebodyWaitsForASandbox() {
        add();
        assertThrows(PalyraException.class, () -> canaries.proof(holding)); // refused until proven
        awaitState(Standing.State.PROVEN);
    }

    @Test
    void closingDoesNotWaitForTheGateway() {
        add();
        canaries.close();
    }
}
