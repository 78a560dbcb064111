package palyra.sandbox.posix.internal.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.jna.Pointer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Reads the status lines of a process that sets a sandbox up, in the manner of {@code bwrap
 * --json-status-fd}: one JSON object a line, {@code child-pid} once the first process of the
 * sandbox exists, {@code exit-code} if the command ran. Thread-safe.
 */
final class StatusReader implements Runnable {
    private static final int LONGEST_LINE = 64 << 10;
    private static final short READABLE = 1;

    private final Libc libc;
    private final Signals signals;
    private final InputStream lines;
    private final boolean ofHost;
    private final ObjectMapper json = new ObjectMapper();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long named; // guarded by lock; 0 until it was said
    private int handle = -1; // guarded by lock; or the negated error number
    private int exitCode = -1; // guarded by lock
    private boolean ended; // guarded by lock

    /**
     * @param ofHost whether the lines name processes as the host numbers them; those that a sandbox
     *     numbers are not looked at, since another process may have that number here
     */
    StatusReader(Libc libc, Signals signals, InputStream lines, boolean ofHost) {
        this.libc = libc;
        this.signals = signals;
        this.lines = lines;
        this.ofHost = ofHost;
    }

    @Override
    public void run() {
        try (lines) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            byte[] some = new byte[512];
            int count;
            while ((count = lines.read(some)) >= 0) {
                for (int i = 0; i < count; i++) {
                    if (some[i] == '\n') {
                        accept(line.toString(StandardCharsets.UTF_8));
                        line.reset();
                    } else if (line.size() < LONGEST_LINE) {
                        line.write(some[i]);
                    }
                }
            }
        } catch (IOException broken) {
            // Treated as the end: lines that were not read did not happen.
        } finally {
            end();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept(String line) {
        JsonNode said;
        try {
            said = json.readTree(line);
        } catch (JsonProcessingException noise) {
            return;
        }
        if (said == null) {
            return;
        }
        lock.lock();
        try {
            long pid = said.path("child-pid").asLong(0);
            if (ofHost && pid > 1 && named == 0) {
                named = pid;
                handle = signals.handle(pid);
            }
            if (said.path("exit-code").canConvertToInt()) {
                exitCode = said.path("exit-code").asInt();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of the lines and returns the code of the command, if it ran. */
    OptionalInt exitCode(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!ended && exitCode < 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the process named by {@code child-pid}; 0 when it is not named in time. */
    long named(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (ofHost && named == 0 && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return named;
        } finally {
            lock.unlock();
        }
    }

    /** Kills the process named by {@code child-pid}; waits up to {@code millis} for that line. */
    void kill(long millis) {
        lock.lock();
        try {
            named(millis);
            if (handle >= 0) {
                signals.killByPidfd(handle);
            } else if (named > 1 && !ended) {
                libc.kill(named, Libc.SIGKILL);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the named process is gone; true when none was named. */
    boolean gone(long millis) {
        lock.lock();
        try {
            return named == 0 || handle < 0 || endedBy(millis);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a process was named and is certainly gone; waits for it. */
    boolean dead(long millis) {
        lock.lock();
        try {
            return named > 0 && (handle >= 0 ? endedBy(millis) : handle == -Errno.ESRCH);
        } finally {
            lock.unlock();
        }
    }

    private boolean endedBy(long millis) {
        try (Arena arena = new Arena()) {
            Pointer entry = arena.zeros(8);
            entry.setInt(0, handle);
            entry.setShort(4, READABLE);
            return libc.poll(entry, 1, (int) Math.max(0, millis)) > 0;
        }
    }

    /** Closes its descriptors; the reading thread ends by itself. */
    void close() {
        lock.lock();
        try {
            ended = true;
            if (handle >= 0) {
                libc.close(handle);
                handle = -1;
            }
        } finally {
            lock.unlock();
        }
    }
}
