package palyra.deploy.internal;

import java.time.Duration;

/**
 * Interrupts a thread that takes too long, such as one in the start of a bundle that never ends.
 * Made and closed by that thread.
 */
final class Alarm implements AutoCloseable {
    private final Thread watched = Thread.currentThread();
    private final Thread clock;
    private boolean over; // guarded by this
    private boolean rang; // guarded by this

    Alarm(long millis) {
        clock =
                Thread.ofVirtual()
                        .name("palyra-deploy-alarm")
                        .start(() -> ring(Duration.ofMillis(millis)));
    }

    private void ring(Duration after) {
        try {
            Thread.sleep(after);
        } catch (InterruptedException e) {
            return; // closed in time
        }
        synchronized (this) {
            if (!over) {
                rang = true;
                watched.interrupt();
            }
        }
    }

    /** Returns whether the time ran out. */
    synchronized boolean rang() {
        return rang;
    }

    /** Ends it; an interrupt of its own that nobody noticed is taken back. */
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
