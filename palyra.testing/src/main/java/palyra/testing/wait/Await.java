package palyra.testing.wait;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits until something is so, looking every millisecond, and fails with a sentence when it did not
 * come in time. A test that waits this way is as fast as the thing it waits for.
 */
public final class Await {
    /** How long is waited when nothing else is said. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Await() {}

    /** Waits at most {@link #PATIENCE} until {@code condition} holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition);
    }

    /**
     * Waits until {@code condition} holds.
     *
     * @param what what is waited for, such as {@code the run to end}: it is part of the error
     * @throws AssertionError when {@code limit} passed, or the thread was interrupted (its flag is
     *     left set)
     */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError(
                        "waited " + limit.toMillis() + " ms for " + what + ": it did not happen");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /** Waits at most {@link #PATIENCE} until {@code supplier} has a value, and returns it. */
    public static <T> T value(String what, Supplier<Optional<T>> supplier) {
        return value(what, PATIENCE, supplier);
    }

    /** Waits until {@code supplier} has a value, and returns it; fails as {@link #until}. */
    public static <T> T value(String what, Duration limit, Supplier<Optional<T>> supplier) {
        Object[] found = new Object[1];
        until(
                what,
                limit,
                () -> {
                    found[0] = supplier.get().orElse(null);
                    return found[0] != null;
                });
        @SuppressWarnings("unchecked") // the supplier put it there
        T value = (T) found[0];
        return value;
    }

    /** Waits at most {@link #PATIENCE} until {@code thread} has ended. */
    public static void ended(Thread thread) {
        until("thread " + thread.getName() + " to end", () -> !thread.isAlive());
    }
}
