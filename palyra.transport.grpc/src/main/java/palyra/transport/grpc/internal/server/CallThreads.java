package palyra.transport.grpc.internal.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs each step of a call on a virtual thread of its own. Takes steps to the very end: gRPC tells
 * a call that it is over in one.
 */
final class CallThreads implements Executor {
    private static final long GRACE_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 100;

    private final ThreadFactory factory = Thread.ofVirtual().name("palyra-grpc-call-", 1).factory();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    @Override
    public void execute(Runnable step) {
        Thread thread =
                factory.newThread(
                        () -> {
                            try {
                                step.run();
                            } finally {
                                running.remove(Thread.currentThread());
                            }
                        });
        running.add(thread);
        thread.start();
    }

    /** Interrupts every step that is running. */
    void interrupt() {
        running.forEach(Thread::interrupt);
    }

    /**
     * Waits until no step is left; those that take longer than a moment are interrupted. Returns
     * whether none is left.
     */
    boolean end(long seconds) throws InterruptedException {
        long begin = System.nanoTime();
        long grace = begin + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        long deadline = begin + TimeUnit.SECONDS.toNanos(seconds);
        while (!running.isEmpty() && System.nanoTime() - deadline < 0) {
            for (Thread thread : running) {
                if (System.nanoTime() - grace > 0) {
                    thread.interrupt();
                }
                thread.join(LOOK_MILLIS);
            }
        }
        return running.isEmpty();
    }
}
