package palyra.sandbox.posix.internal.process;

import com.sun.jna.Pointer;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * A child started by posix_spawn(3). Waiting leaves it a zombie, so that its id, which is also the
 * id of its process group and session, is not reused until all its processes were killed.
 */
public final class SpawnedChild implements Child {
    private static final int EXITED = 1;
    private static final int CODE_AT = 8;

    private final Libc libc;
    private final int pid;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean reaped; // guarded by lock

    /** Takes a child over. */
    public SpawnedChild(Libc libc, int pid) {
        this.libc = libc;
        this.pid = pid;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public End awaitEnd() {
        try (Arena arena = new Arena()) {
            Pointer info = arena.zeros(128);
            Pointer usage = arena.zeros(144);
            boolean linux = libc.os().linux();
            int result;
            do {
                result = linux ? libc.awaitEnd(pid, info, usage) : libc.awaitEnd(pid, info);
            } while (result == -Errno.EINTR);
            if (result < 0) {
                return new End(-1, false, true, -1);
            }
            int status = info.getInt(linux ? 24 : 20);
            boolean exited = info.getInt(CODE_AT) == EXITED;
            long cpu = linux ? cpuMillis(usage) : -1;
            return new End(exited ? status : 128 + status, !exited, false, cpu);
        }
    }

    /** Adds user and system time, each in seconds and microseconds. */
    private static long cpuMillis(Pointer usage) {
        long seconds = usage.getLong(0) + usage.getLong(16);
        return seconds * 1_000 + (usage.getLong(8) + usage.getLong(24)) / 1_000;
    }

    @Override
    public void killGroup() {
        lock.lock();
        try {
            if (!reaped) {
                libc.kill(-(long) pid, Libc.SIGKILL);
                libc.kill(pid, Libc.SIGKILL);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reap() {
        lock.lock();
        try {
            if (!reaped) {
                reaped = true;
                libc.reap(pid);
            }
        } finally {
            lock.unlock();
        }
    }
}
