package palyra.shell.internal.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.access.Principal;
import palyra.api.command.ExitCodes;

/**
 * A running command, on its own thread. A stop runs the command's cancel actions and then
 * interrupts the thread; a withdrawal only interrupts, because no user asked to cancel its work.
 */
public final class Execution {
    private static final Logger LOG = LoggerFactory.getLogger(Execution.class);

    private final Request request;
    private final Supplier<Principal> caller;
    private final Streams streams;
    private final CountDownLatch finished = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> cancelActions = new ArrayList<>(); // guarded by lock
    private final List<Runnable> afterActions = new ArrayList<>(); // guarded by lock
    private Thread thread; // guarded by lock
    private boolean over; // guarded by lock

    private volatile StopCause cause;
    private volatile int columns;
    private volatile Offer offer;

    /** The three streams of a command and where its exit code goes. */
    public interface Streams {
        /** Returns standard input. */
        InputStream in();

        /** Returns standard output. */
        OutputStream out();

        /** Returns standard error. */
        OutputStream err();

        /** Takes the exit code; called once, after the last output. */
        void exited(int code);
    }

    Execution(Request request, Supplier<Principal> caller, Streams streams) {
        this.request = request;
        this.caller = caller;
        this.streams = streams;
        this.columns = request.columns();
    }

    /** Begins; {@code work} gives the exit code. */
    void start(String threadName, Supplier<Integer> work, Runnable atEnd) {
        Thread worker = new Thread(() -> run(work, atEnd), threadName);
        worker.setDaemon(true);
        lock.lock();
        try {
            thread = worker;
        } finally {
            lock.unlock();
        }
        worker.start();
    }

    private void run(Supplier<Integer> work, Runnable atEnd) {
        int code = ExitCodes.INTERNAL;
        try {
            code = work.get();
        } finally {
            end(code);
            atEnd.run();
            finished.countDown();
        }
    }

    private void end(int code) {
        List<Runnable> after;
        lock.lock();
        try {
            over = true;
            after = List.copyOf(afterActions);
        } finally {
            lock.unlock();
        }
        // This thread is not interrupted from here on; clears a late interrupt.
        boolean interrupted = Thread.interrupted();
        try {
            streams.out().flush();
            streams.err().flush();
        } catch (IOException e) {
            LOG.debug("The caller left before the end of the output", e);
        }
        streams.exited(code);
        after.forEach(Execution::runQuietly);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void runQuietly(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warn("Something to be done around a command failed", e);
        }
    }

    /** Stops the command; only the first cause counts. Returns at once. */
    public void stop(StopCause why) {
        List<Runnable> actions;
        lock.lock();
        try {
            if (over || cause != null) {
                return;
            }
            cause = why;
            actions = why == StopCause.WITHDRAWN ? List.of() : List.copyOf(cancelActions);
        } finally {
            lock.unlock();
        }
        actions.forEach(Execution::runQuietly);
        interrupt();
    }

    private void interrupt() {
        lock.lock();
        try {
            if (!over && thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    void onCancel(Runnable action) {
        lock.lock();
        try {
            if (cause == null) {
                cancelActions.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        if (cause != StopCause.WITHDRAWN) {
            runQuietly(action);
        }
    }

    void afterwards(Runnable action) {
        lock.lock();
        try {
            afterActions.add(action);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the end, at most {@code millis}; returns whether it is over. The command's own
     * thread does not wait for itself.
     */
    public boolean await(long millis) {
        if (ownThread()) {
            return false;
        }
        try {
            return finished.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether the calling thread is the command's own. */
    public boolean ownThread() {
        lock.lock();
        try {
            return thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the terminal's new width. */
    public void resized(int newColumns) {
        columns = newColumns;
    }

    Request request() {
        return request;
    }

    Principal caller() {
        return caller.get();
    }

    Optional<StopCause> stopCause() {
        return Optional.ofNullable(cause);
    }

    boolean interactive() {
        return request.interactive();
    }

    int columns() {
        return columns;
    }

    String workingFolder() {
        return request.workingFolder();
    }

    InputStream in() {
        return streams.in();
    }

    OutputStream out() {
        return streams.out();
    }

    OutputStream err() {
        return streams.err();
    }

    void runs(Offer chosen) {
        offer = chosen;
    }

    boolean isOf(Offer other) {
        return other.equals(offer);
    }
}
