package palyra.itests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition, with a deadline. */
public final class Wait {
    private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

    private Wait() {}

    /** Waits at most 30 seconds. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, Duration.ofSeconds(30), condition, () -> "");
    }

    /** Waits; on failure says what was waited for and what {@code state} says. */
    public static void until(
            String what, Duration atMost, Callable<Boolean> condition, Supplier<String> state)
            throws Exception {
        if (!during(atMost, condition)) {
            throw new AssertionError(
                    "waited " + atMost.toMillis() + " ms for " + what + "; " + state.get());
        }
    }

    /** Waits; returns whether the condition held in time. */
    public static boolean during(Duration atMost, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
