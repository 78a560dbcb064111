package palyra.sandbox.internal.canary;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.PalyraException;

/** When the first tests of a start begin. */
@Timeout(120)
class CanaryStartTest extends CanariesFixture {
    CanaryStartTest() {
        waitsForTheGateway = true;
    }

    @Test
    void testsBeginOnceTheGatewayIsUp() throws InterruptedException {
        add();
        Thread.sleep(1_500); // more than one look
        assertTrue(canaries.standing(holding).report().isEmpty());
        canaries.gatewayIsUp();
        awaitState(Standing.State.PROVEN);
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
