package palyra.sandbox.posix.internal.process;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads that wait for the end of a process, read its status lines, or make calls for it.
 * An idle thread stays five seconds for the next process; their number is not limited. Thread-safe.
 */
public final class ProcessThreads implements AutoCloseable {
    private static final long STACK_BYTES = 512 << 10;
    private static final long IDLE_SECONDS = 5;
    private static final long STOP_MILLIS = 1_000;

    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    ProcessThreads::thread);

    private static Thread thread(Runnable work) {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("palyra-sandbox-idle")
                        .inheritInheritableThreadLocals(false)
                        .stackSize(STACK_BYTES)
                        .unstarted(work);
        thread.setContextClassLoader(null);
        return thread;
    }

    /**
     * Runs work on a platform thread.
     *
     * @param name of the thread meanwhile
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     * @throws OutOfMemoryError when the system has no thread left
     */
    void follow(String name, Runnable work) {
        threads.execute(
                () -> {
                    Thread.currentThread().setName(name);
                    try {
                        work.run();
                    } finally {
                        Thread.currentThread().setName("palyra-sandbox-idle");
                    }
                });
    }

    /** Ends the idle threads, and the others when their process has ended. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
