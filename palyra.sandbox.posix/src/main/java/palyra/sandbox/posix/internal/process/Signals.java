package palyra.sandbox.posix.internal.process;

import java.util.function.BooleanSupplier;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Sends SIGKILL to processes that are not our children, without killing another process that got
 * the same id meanwhile: by pidfd_open(2) where the kernel has it. Thread-safe.
 */
public final class Signals {
    private final Libc libc;

    /** Creates it. */
    public Signals(Libc libc) {
        this.libc = libc;
    }

    /**
     * Returns a pidfd for a process; below 0 when the process or pidfd_open(2) does not exist.
     * Close it with the C library.
     */
    int handle(long pid) {
        return libc.os().linux() ? (int) libc.system(LinuxCall.PIDFD_OPEN, pid, 0) : -1;
    }

    void killByPidfd(int handle) {
        libc.system(LinuxCall.PIDFD_SEND_SIGNAL, handle, Libc.SIGKILL, 0, 0);
    }

    /** Kills a process. {@code isSameProcess} is checked once its id can no longer be reused. */
    public void kill(long pid, BooleanSupplier isSameProcess) {
        int handle = handle(pid);
        try {
            if (!isSameProcess.getAsBoolean()) {
                return;
            }
            if (handle >= 0) {
                killByPidfd(handle);
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
