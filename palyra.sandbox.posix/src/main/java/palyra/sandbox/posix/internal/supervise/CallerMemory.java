package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/** Copies memory of the thread whose call waits, see process_vm_readv(2). For one thread. */
final class CallerMemory {
    private static final int PAGE = 4096; // or a part of one, where pages are larger

    private final Libc libc;
    private final Pointer local;
    private final Pointer remote;

    CallerMemory(Libc libc, Arena arena) {
        this.libc = libc;
        local = arena.zeros(16);
        remote = arena.zeros(16);
    }

    /**
     * Copies so many bytes.
     *
     * @throws CallFailure EFAULT when the caller has no such memory, EACCES when it keeps its
     *     memory from other processes
     */
    void copy(int thread, long address, Pointer into, long length) throws CallFailure {
        long done = 0;
        while (done < length) {
            long part = Math.min(length - done, PAGE - ((address + done) & (PAGE - 1)));
            read(thread, address + done, into.share(done), part);
            done += part;
        }
    }

    /**
     * Copies a text up to its NUL.
     *
     * @param into room for {@code most} bytes and a NUL behind them that is never overwritten
     * @param most bytes with the NUL
     * @param tooLong error number for a longer one
     * @return its length
     */
    int text(int thread, long address, Pointer into, int most, int tooLong) throws CallFailure {
        int done = 0;
        while (done < most) {
            int part = (int) Math.min(most - done, PAGE - ((address + done) & (PAGE - 1)));
            read(thread, address + done, into.share(done), part);
            done += part;
            long end = into.indexOf(0, (byte) 0);
            if (end < done) {
                return (int) end;
            }
        }
        throw new CallFailure(tooLong);
    }

    private void read(int thread, long address, Pointer into, long length) throws CallFailure {
        local.setPointer(0, into);
        local.setLong(8, length);
        remote.setLong(0, address);
        remote.setLong(8, length);
        long read =
                libc.system(
                        LinuxCall.PROCESS_VM_READV,
                        thread,
                        Pointer.nativeValue(local),
                        1,
                        Pointer.nativeValue(remote),
                        1,
                        0);
        if (read == -Errno.EPERM) {
            throw new CallFailure(Errno.EACCES);
        }
        if (CallFailure.check(read) != length) {
            throw new CallFailure(Errno.EFAULT);
        }
    }
}
