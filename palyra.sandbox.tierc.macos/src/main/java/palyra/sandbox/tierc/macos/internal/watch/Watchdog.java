package palyra.sandbox.tierc.macos.internal.watch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Checks a command's processes ten times a second, because macOS limits neither memory (setrlimit
 * refuses RLIMIT_AS) nor processor time of a process tree. Excess use between two checks is noticed
 * late. When it cannot see a running command any more, it kills it. Thread-safe.
 */
public final class Watchdog implements AutoCloseable {
    /** Time between two checks. */
    public static final long PERIOD_MILLIS = 100;

    private static final int BLIND_LOOKS = 5;
    private static final long STOP_MILLIS = 5_000;

    private final Family family;
    private final Bounds bounds;
    private final BooleanSupplier running;
    private final Runnable kill;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean stopped; // guarded by lock
    private Verdict verdict = Verdict.NONE; // guarded by lock
    private long peakBytes = -1; // guarded by lock
    private long cpuNanos = -1; // guarded by lock
    private int blind; // used by the thread only

    /**
     * What all processes together may use.
     *
     * @param memoryBytes memory
     * @param cpuMillis processor time
     * @param processes number of processes
     */
    public record Bounds(long memoryBytes, long cpuMillis, int processes) {}

    /** Why a command was ended. */
    public enum Verdict {
        /** It was not. */
        NONE,
        /** Too much memory. */
        MEMORY,
        /** Too much processor time. */
        CPU,
        /** Too many processes. */
        PROCESSES,
        /** Its use could not be seen. */
        BLIND
    }

    /**
     * Creates a watchdog; {@link #start} sets it going.
     *
     * @param running whether the command's first process runs
     * @param kill ends all of its processes; called on the watchdog's thread
     */
    public Watchdog(
            String callId, Family family, Bounds bounds, BooleanSupplier running, Runnable kill) {
        this.family = family;
        this.bounds = bounds;
        this.running = running;
        this.kill = kill;
        this.thread = new Thread(this::watch, "palyra-sandbox-watch-" + callId);
        thread.setDaemon(true);
    }

    /** Starts looking. */
    public void start() {
        thread.start();
    }

    private void watch() {
        try {
            while (!isStopped() && running.getAsBoolean()) {
                Verdict found = judge(family.look());
                if (found != Verdict.NONE) {
                    end(found);
                    return;
                }
                pause();
            }
        } catch (RuntimeException | Error e) {
            end(Verdict.BLIND);
            throw e;
        }
    }

    private Verdict judge(Family.Sight sight) {
        note(sight);
        blind = sight.rootSeen() ? 0 : blind + 1;
        if (sight.memoryBytes() > bounds.memoryBytes()) {
            return Verdict.MEMORY;
        }
        if (TimeUnit.NANOSECONDS.toMillis(sight.cpuNanos()) > bounds.cpuMillis()) {
            return Verdict.CPU;
        }
        if (sight.processes() > bounds.processes()) {
            return Verdict.PROCESSES;
        }
        return blind >= BLIND_LOOKS && running.getAsBoolean() ? Verdict.BLIND : Verdict.NONE;
    }

    private void note(Family.Sight sight) {
        if (sight.processes() == 0) {
            return;
        }
        lock.lock();
        try {
            peakBytes = Math.max(peakBytes, sight.memoryBytes());
            cpuNanos = Math.max(cpuNanos, sight.cpuNanos());
        } finally {
            lock.unlock();
        }
    }

    private void end(Verdict found) {
        lock.lock();
        try {
            verdict = found;
        } finally {
            lock.unlock();
        }
        kill.run();
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
            while (!stopped && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            stopped = true; // an interrupt ends this thread
        } finally {
            lock.unlock();
        }
    }

    /** Returns why it ended the command. */
    public Verdict verdict() {
        lock.lock();
        try {
            return verdict;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the most memory seen at one look, in bytes; -1 when nothing was seen. */
    public long peakBytes() {
        lock.lock();
        try {
            return peakBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the most processor time seen, in milliseconds; -1 when nothing was seen. */
    public long cpuMillis() {
        lock.lock();
        try {
            return cpuNanos < 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(cpuNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Stops looking and waits, at most five seconds, until its thread has ended. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
