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
        try (DeadlineWatchdog watch = new DeadlineWatchdog()) {
            watch.timer(
                            why -> {
                                throw new AssertionError(why);
                            })
                    .within(1, "made up");
            watch.timer(why -> cut.countDown()).within(200, "late");
            assertTrue(cut.await(30, TimeUnit.SECONDS));
            assertEquals(1, watch.loop().restarts());
            assertEquals("AssertionError: made up", watch.loop().lastFailure());
        }
    }
}
