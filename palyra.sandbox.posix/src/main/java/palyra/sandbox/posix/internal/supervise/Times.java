package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;

/** Reads the times of a call in the three forms that there are; see utime(2). For one thread. */
final class Times {
    private static final int BYTES = 32;
    private static final long MICROS = 1_000_000;

    private final CallerMemory memory;
    private final Pointer both;

    Times(Arena arena, CallerMemory memory) {
        this.memory = memory;
        both = arena.zeros(BYTES);
    }

    /** Reads two {@code struct timespec}; null when the address is. */
    Pointer nanos(int thread, long address) throws CallFailure {
        if (address == 0) {
            return null;
        }
        memory.copy(thread, address, both, BYTES);
        return both;
    }

    /** Reads two {@code struct timeval}; null when the address is. */
    Pointer micros(int thread, long address) throws CallFailure {
        if (nanos(thread, address) == null) {
            return null;
        }
        for (int at = 8; at < BYTES; at += 16) {
            long micros = both.getLong(at);
            if (micros < 0 || micros >= MICROS) {
                throw new CallFailure(Errno.EINVAL);
            }
            both.setLong(at, micros * 1_000);
        }
        return both;
    }

    /** Reads a {@code struct utimbuf}; null when the address is. */
    Pointer seconds(int thread, long address) throws CallFailure {
        if (address == 0) {
            return null;
        }
        memory.copy(thread, address, both, 16);
        both.setLong(16, both.getLong(8));
        both.setLong(8, 0);
        both.setLong(24, 0);
        return both;
    }
}
