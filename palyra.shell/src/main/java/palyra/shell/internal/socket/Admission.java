package palyra.shell.internal.socket;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Limits the number of running commands. Thread-safe. */
final class Admission {
    private final AtomicInteger running = new AtomicInteger();
    private final IntSupplier most;

    /**
     * Creates it.
     *
     * @param most asked each time; may change
     */
    Admission(IntSupplier most) {
        this.most = most;
    }

    /** Takes a slot, to be released by {@link #leave}; returns the reason when none is free. */
    Optional<String> enter() {
        int limit = most.getAsInt();
        if (running.incrementAndGet() <= limit) {
            return Optional.empty();
        }
        running.decrementAndGet();
        return Optional.of(
                limit
                        + " commands are running already; try again when one has ended, or raise"
                        + " maxConnections of palyra.shell.");
    }

    void leave() {
        running.decrementAndGet();
    }
}
