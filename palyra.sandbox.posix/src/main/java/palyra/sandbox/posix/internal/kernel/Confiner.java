package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.concurrent.CountDownLatch;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;

/**
 * What a throw-away thread does: it gives up new privileges, restricts itself and starts the
 * process, which inherits all of it. Everything is prepared before; on the thread no memory is
 * allocated outside of the heap, no thread is started and nobody is woken but one platform thread,
 * because whatever is started from here would be restricted too.
 */
final class Confiner implements Runnable, AutoCloseable {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long FILTER_MODE = 1;

    private final Libc libc;
    private final int ruleset;
    private final Arena arena = new Arena();
    private final long filter;
    private final PosixSpawn spawn;
    private final Pointer info = arena.zeros(128);
    private final boolean stays;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile long thread;
    private volatile int errno;
    private volatile int pid;
    private volatile String failed = "";

    /**
     * Prepares it.
     *
     * @param ruleset descriptor of a ruleset, -1 for none
     * @param program seccomp filter, empty for none
     * @param stays whether the thread lives as long as the process, because the process dies with
     *     it
     */
    Confiner(Libc libc, int ruleset, byte[] program, PosixSpawn spawn, boolean stays) {
        this.libc = libc;
        this.ruleset = ruleset;
        this.spawn = spawn;
        this.stays = stays;
        filter = program.length == 0 ? 0 : filter(program);
    }

    /** Makes a {@code struct sock_fprog}, see seccomp(2). */
    private long filter(byte[] program) {
        Pointer head = arena.zeros(16);
        head.setShort(0, (short) (program.length / 8));
        head.setPointer(8, arena.string(program));
        return Pointer.nativeValue(head);
    }

    @Override
    public void run() {
        try {
            thread = libc.system(LinuxCall.GETTID);
            confineAndStart();
        } finally {
            started.countDown();
        }
        if (stays && errno == 0) {
            int result;
            do {
                result = libc.awaitEnd(pid, info);
            } while (result == -Errno.EINTR);
        }
    }

    private void confineAndStart() {
        errno = -1;
        int result = libc.processControl(NO_NEW_PRIVILEGES, 1);
        if (result < 0) {
            fail("no_new_privs", result);
            return;
        }
        if (ruleset >= 0) {
            long restricted = libc.system(LinuxCall.LANDLOCK_RESTRICT_SELF, ruleset, 0);
            if (restricted < 0) {
                fail("landlock", (int) restricted);
                return;
            }
        }
        if (filter != 0) {
            long installed = libc.system(LinuxCall.SECCOMP, FILTER_MODE, 0, filter);
            if (installed < 0) {
                fail("seccomp", (int) installed);
                return;
            }
        }
        int outcome = spawn.start();
        pid = spawn.pid(); // its memory is given back once the start was seen
        errno = outcome;
    }

    private void fail(String what, int result) {
        failed = what;
        errno = -result;
    }

    /** Waits for the start, whatever happens. Only for platform threads. */
    void awaitStart() {
        boolean interrupted = false;
        while (true) {
            try {
                started.await();
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns 0 when the process runs, else the error number of what failed. */
    int errno() {
        return errno;
    }

    /** Returns which restriction failed; empty when it was none. */
    String failed() {
        return failed;
    }

    /** Returns whether the kernel still has the thread, which outlives its Java object a little. */
    boolean threadExists() {
        long here = ProcessHandle.current().pid();
        return libc.system(LinuxCall.TGKILL, here, thread, 0) != -Errno.ESRCH;
    }

    /** Gives its memory back; only after the thread has ended. */
    @Override
    public void close() {
        arena.close();
    }
}
