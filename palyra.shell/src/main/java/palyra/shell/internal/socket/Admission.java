package palyra.shell.internal.socket;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Lets so many commands run at a time and no more. Thread-safe. */
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

    /** Takes a place, to be given back by {@link #leave}; returns why there is none. */
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
