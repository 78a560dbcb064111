package palyra.config.internal;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;

/** Waits for a condition, and fails when it does not come true in time. */
final class Deadline {
    private Deadline() {}

    static void within(Duration limit, BooleanSupplier condition, String otherwise) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                Assertions.fail(otherwise + " after " + limit);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
