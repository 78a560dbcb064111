package palyra.gateway.internal.engine.run;

import java.util.concurrent.atomic.AtomicReference;

/** Requests to a worker: cancel or stop. Thread-safe; a raised flag is never lowered. */
public final class WorkerFlags {
    private final AtomicReference<String> cancelReason = new AtomicReference<>();
    private volatile boolean stopping;
    private volatile boolean unread;

    public boolean cancel(String reason) {
        return cancelReason.compareAndSet(null, reason);
    }

    /** Asks for the run to be cancelled without its tape being folded. */
    public boolean cancelUnread(String reason) {
        unread = true;
        return cancel(reason);
    }

    public boolean unread() {
        return unread;
    }

    public void stop() {
        stopping = true;
    }

    public boolean stopping() {
        return stopping;
    }

    public boolean cancelling() {
        return cancelReason.get() != null;
    }

    public String cancelReason() {
        return cancelReason.get();
    }

    public boolean raised() {
        return stopping || cancelling();
    }
}
