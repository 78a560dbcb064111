package palyra.shared.bundles;

/**
 * Interrupts a thread that takes too long, such as one in the start of a bundle that never ends.
 * Made and closed by that thread.
 */
public final class StartTimeout implements AutoCloseable {
    private final Thread watched = Thread.currentThread();
    private final Thread clock;
    private boolean over; // guarded by this
    private boolean rang; // guarded by this

    /** Begins to wait; the thread that makes it is the one that is interrupted. */
    public StartTimeout(long millis) {
        clock = Thread.ofVirtual().name("palyra-lifecycle-alarm").start(new Clock(millis));
    }

    private final class Clock implements Runnable {
        private final long millis;

        Clock(long millis) {
            this.millis = millis;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(millis);
                ring();
            } catch (InterruptedException e) {
                // closed in time
            }
        }
    }

    private synchronized void ring() {
        if (!over) {
            rang = true;
            watched.interrupt();
        }
    }

    /** Returns whether the time ran out. */
    public synchronized boolean rang() {
        return rang;
    }

    /** Ends it; clears an interrupt of its own that the thread did not consume. */
    @Override
    public void close() {
        synchronized (this) {
            over = true;
            if (rang) {
                Thread.interrupted();
            }
        }
        clock.interrupt();
    }
}
