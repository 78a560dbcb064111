package palyra.gateway.internal.engine;

import java.util.concurrent.atomic.AtomicReference;

/** What others want of a worker. Thread-safe; a raised flag is never lowered. */
final class WorkerFlags {
    private final AtomicReference<String> cancelReason = new AtomicReference<>();
    private volatile boolean stopping;
    private volatile boolean unread;

    boolean cancel(String reason) {
        return cancelReason.compareAndSet(null, reason);
    }

    /** Asks for the run to be cancelled without its tape being folded. */
    boolean cancelUnread(String reason) {
        unread = true;
        return cancel(reason);
    }

    boolean unread() {
        return unread;
    }

    void stop() {
        stopping = true;
    }

    boolean stopping() {
        return stopping;
    }

    boolean cancelling() {
        return cancelReason.get() != null;
    }

    String cancelReason() {
        return cancelReason.get();
    }

    boolean raised() {
        return stopping || cancelling();
    }
}
