package palyra.sandbox.posix.internal.supervise;

import static palyra.sandbox.posix.internal.supervise.CallFailure.check;

import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Changes the metadata of an open file; each method returns the result of the kernel. The
 * descriptor was opened with O_PATH, so calls that do not accept such descriptors get its name
 * below {@code /proc/self/fd}. That name is never used for a symbolic link, because a kernel may
 * follow it. For one thread.
 */
final class Effects {
    /** {@code IN_DONT_FOLLOW}: watch a link itself. */
    static final int WATCH_LINK = 0x0200_0000;

    private static final long HERE = -100; // AT_FDCWD
    private static final long EMPTY_PATH = 0x1000; // AT_EMPTY_PATH
    private static final int LINK = 0xA000;
    private static final int KIND = 0xF000;

    private final Libc libc;
    private final Pointer facts;
    private final long empty;
    private final DescriptorPath own;

    Effects(Libc libc, Arena arena) {
        this.libc = libc;
        facts = arena.zeros(256);
        own = new DescriptorPath(arena);
        empty = Pointer.nativeValue(arena.zeros(1));
    }

    long mode(int opened, long mode) throws CallFailure {
        refuseLink(opened, Errno.EOPNOTSUPP);
        return check(libc.system(LinuxCall.FCHMODAT, HERE, own.of(opened), mode));
    }

    long owner(int opened, long user, long group) throws CallFailure {
        return check(libc.system(LinuxCall.FCHOWNAT, opened, empty, user, group, EMPTY_PATH));
    }

    /** Sets both times; {@code times} is null for now. */
    long times(int opened, Pointer times) throws CallFailure {
        long both = times == null ? 0 : Pointer.nativeValue(times);
        return check(libc.system(LinuxCall.UTIMENSAT, opened, empty, both, EMPTY_PATH));
    }

    long attribute(int opened, Pointer attribute, Pointer value, long length, long flags)
            throws CallFailure {
        refuseLink(opened, Errno.EPERM);
        return check(
                libc.system(
                        LinuxCall.SETXATTR,
                        own.of(opened),
                        Pointer.nativeValue(attribute),
                        Pointer.nativeValue(value),
                        length,
                        flags));
    }

    long noAttribute(int opened, Pointer attribute) throws CallFailure {
        refuseLink(opened, Errno.EPERM);
        return check(
                libc.system(LinuxCall.REMOVEXATTR, own.of(opened), Pointer.nativeValue(attribute)));
    }

    /** Returns the number of the watch. */
    long watch(int opened, int watcher, int events) throws CallFailure {
        refuseLink(opened, Errno.EACCES);
        return check(
                libc.system(
                        LinuxCall.INOTIFY_ADD_WATCH,
                        watcher,
                        own.of(opened),
                        Integer.toUnsignedLong(events & ~WATCH_LINK)));
    }

    private void refuseLink(int opened, int errno) throws CallFailure {
        check(libc.stat(opened, facts));
        int mode = facts.getInt(libc.os().arm() ? 16 : 24); // st_mode
        if ((mode & KIND) == LINK) {
            throw new CallFailure(errno);
        }
    }
}
