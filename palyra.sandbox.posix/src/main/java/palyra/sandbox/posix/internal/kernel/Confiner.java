package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.concurrent.CountDownLatch;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;

/**
 * Work of a single-use thread: it sets no_new_privs, installs the filters, waits until the launch
 * is prepared, restricts itself to the call's files and starts the process, which inherits all of
 * it. The thread allocates no native memory, starts no thread and wakes only one platform thread,
 * because a thread started from here would be restricted too.
 */
final class Confiner implements PortThreadFactories.Work, AutoCloseable {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long FILTER_MODE = 1;
    private static final long NEW_LISTENER = 8;
    private static final long KILLABLE = 32; // a call that was received is not begun again
    private static final int ALLOW = 0x7fff_0000;
    private static final int RETURN = 0x06;

    private final Libc libc;
    private final Arena arena = new Arena();
    private final String name;
    private final long filter;
    private final long listening;
    private final boolean supervised;
    private final Pointer info = arena.zeros(128);
    private final boolean stays;
    private final CountDownLatch prepared = new CountDownLatch(1);
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile PosixSpawn spawn; // null until prepared, and when given up
    private volatile int ruleset = -1;
    private volatile long thread;
    private volatile int errno;
    private volatile int pid;
    private volatile int listener = -1;
    private volatile boolean refused;
    private volatile String failed = "";

    /**
     * Prepares it.
     *
     * @param name of the thread
     * @param program seccomp filter, empty for none
     * @param listening filter whose listener says when the last process is gone; empty for none
     * @param supervised whether the listener must also get calls; the start fails without it
     * @param stays whether the thread stays as long as the process, which dies with it
     */
    Confiner(
            Libc libc,
            String name,
            byte[] program,
            byte[] listening,
            boolean supervised,
            boolean stays) {
        this.libc = libc;
        this.name = name;
        this.stays = stays;
        this.supervised = supervised;
        filter = filter(program);
        this.listening = filter(listening);
    }

    /** Makes a {@code struct sock_fprog}, see seccomp(2); returns 0 for an empty program. */
    private long filter(byte[] program) {
        if (program.length == 0) {
            return 0;
        }
        Pointer head = arena.zeros(16);
        head.setShort(0, (short) (program.length / 8));
        head.setPointer(8, arena.string(program));
        return Pointer.nativeValue(head);
    }

    /** Returns a filter that lets everything pass; the code and the value of one instruction. */
    static byte[] allowing() {
        java.nio.ByteBuffer one = java.nio.ByteBuffer.allocate(8);
        one.order(java.nio.ByteOrder.nativeOrder());
        return one.putInt(0, 0).putShort(0, (short) RETURN).putInt(4, ALLOW).array();
    }

    @Override
    public void run() {
        try {
            Thread.currentThread().setName(name);
            thread = libc.system(LinuxCall.GETTID);
            errno = -1;
            if (takeFilters() && awaitPrepared()) {
                confineAndStart();
            }
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

    @Override
    public void refuse() {
        refused = true;
        errno = Errno.EAGAIN;
        started.countDown();
    }

    private boolean takeFilters() {
        int result = libc.processControl(NO_NEW_PRIVILEGES, 1);
        if (result < 0) {
            return fail("no_new_privs", result);
        }
        if (filter != 0) {
            long installed = libc.system(LinuxCall.SECCOMP, FILTER_MODE, 0, filter);
            if (installed < 0) {
                return fail("seccomp", (int) installed);
            }
        }
        if (listening != 0) { // without it, processes are looked for
            listener = listen(supervised ? NEW_LISTENER | KILLABLE : NEW_LISTENER);
            if (listener == -Errno.EINVAL && supervised) { // before Linux 5.19
                listener = listen(NEW_LISTENER);
            }
        }
        return !supervised || listener >= 0 || fail("a listener for seccomp", listener);
    }

    private int listen(long flags) {
        return (int) libc.system(LinuxCall.SECCOMP, FILTER_MODE, flags, listening);
    }

    private boolean awaitPrepared() {
        while (true) {
            try {
                prepared.await();
                return spawn != null;
            } catch (InterruptedException never) {
                continue;
            }
        }
    }

    private void confineAndStart() {
        if (ruleset >= 0) {
            long restricted = libc.system(LinuxCall.LANDLOCK_RESTRICT_SELF, ruleset, 0);
            if (restricted < 0) {
                fail("landlock", (int) restricted);
                return;
            }
        }
        PosixSpawn mine = spawn;
        int outcome = mine.start();
        pid = mine.pid(); // its memory is given back once the start was seen
        errno = outcome;
    }

    private boolean fail(String what, int result) {
        failed = what;
        errno = -result;
        return false;
    }

    /**
     * Lets the thread continue and waits for the start, without reacting to interrupts. Only for
     * platform threads.
     *
     * @param rules descriptor of a ruleset, -1 for none
     */
    void start(int rules, PosixSpawn prepared) {
        ruleset = rules;
        spawn = prepared;
        this.prepared.countDown();
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

    /** Ends the thread without a start. */
    void giveUp() {
        start(-1, null);
    }

    /** Returns 0 when the process runs, else the error number of what failed. */
    int errno() {
        return errno;
    }

    /** Returns which restriction failed; empty when all were set. */
    String failed() {
        return failed;
    }

    /**
     * Returns a descriptor that hangs up when no process is left that was started from the thread,
     * see seccomp(2); below 0 when the kernel gave none. The first caller owns and closes it; later
     * callers get -1.
     */
    int takeListener() {
        int taken = listener;
        listener = -1;
        return taken;
    }

    /** Returns whether no thread could be started. */
    boolean refused() {
        return refused;
    }

    /**
     * Returns whether the kernel still has the thread, which ends shortly after its Java object.
     */
    boolean threadExists() {
        long here = ProcessHandle.current().pid();
        return thread != 0 && libc.system(LinuxCall.TGKILL, here, thread, 0) != -Errno.ESRCH;
    }

    /** Frees its memory; only after the thread has ended. */
    @Override
    public void close() {
        arena.close();
    }
}
