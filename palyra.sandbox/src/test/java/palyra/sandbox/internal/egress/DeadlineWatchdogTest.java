package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlineWatchdogTest {
    @Test
    void connectionsAreCutInTimeAfterAnErrorOfOne() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        try (DeadlineWatchdog watchdog = new DeadlineWatchdog()) {
            watchdog.timer(
                            why -> {
                                throw new AssertionError(why);
                            })
                    .within(1, "made up");
            watchdog.timer(why -> cut.countDown()).within(200, "late");
            assertTrue(cut.await(30, TimeUnit.SECONDS));
            assertEquals(1, watchdog.loop().restarts());
            assertEquals("AssertionError: made up", watchdog.loop().lastFailure());
        }
    }
}
