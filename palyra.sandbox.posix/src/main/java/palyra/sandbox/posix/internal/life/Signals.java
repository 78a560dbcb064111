package palyra.sandbox.posix.internal.life;

import java.util.function.BooleanSupplier;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Sends SIGKILL to processes that are not our children, without hitting a stranger that got the
 * same id meanwhile: by pidfd_open(2) where the kernel has it. Thread-safe.
 */
public final class Signals {
    private final Libc libc;

    /** Creates it. */
    public Signals(Libc libc) {
        this.libc = libc;
    }

    /**
     * Returns a descriptor for a process, below 0 when there is none. Close it with the C library.
     */
    int handle(long pid) {
        return libc.os().linux() ? (int) libc.system(LinuxCall.PIDFD_OPEN, pid, 0) : -1;
    }

    void killHandle(int handle) {
        libc.system(LinuxCall.PIDFD_SEND_SIGNAL, handle, Libc.SIGKILL, 0, 0);
    }

    /** Kills a process if, once nobody can take its id any more, it still is the one meant. */
    public void kill(long pid, BooleanSupplier stillTheOne) {
        int handle = handle(pid);
        try {
            if (!stillTheOne.getAsBoolean()) {
                return;
            }
            if (handle >= 0) {
                killHandle(handle);
            } else {
                libc.kill(pid, Libc.SIGKILL);
            }
        } finally {
            if (handle >= 0) {
                libc.close(handle);
            }
        }
    }
}
