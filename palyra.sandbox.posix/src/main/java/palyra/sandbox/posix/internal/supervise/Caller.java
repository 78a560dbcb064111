package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Opens the files that the arguments of a waiting call name, as the calling thread would, see
 * openat2(2). They are opened with O_PATH, without access to their content, so that closing them
 * releases no lock of this process. For one thread.
 */
final class Caller {
    private static final int HERE = -100; // AT_FDCWD
    private static final long NO_FOLLOW = 0x100; // AT_SYMLINK_NOFOLLOW
    private static final long EMPTY_PATH = 0x1000; // AT_EMPTY_PATH
    private static final long PATH_ONLY = 0x28_0000; // O_PATH | O_CLOEXEC
    private static final long NO_MAGIC_LINKS = 0x02; // RESOLVE_NO_MAGICLINKS
    private static final long OF_THREAD = 0x80; // PIDFD_THREAD
    private static final int HOW_BYTES = 24;
    private static final int PATH_BYTES = 4096;

    private final Libc libc;
    private final CallerMemory memory;
    private final Pointer path;
    private final Pointer how;
    private int thread;

    Caller(Libc libc, Arena arena, CallerMemory memory) {
        this.libc = libc;
        this.memory = memory;
        path = arena.zeros(PATH_BYTES + 1);
        how = arena.zeros(HOW_BYTES);
    }

    /** Selects the calling thread. */
    void select(int another) throws CallFailure {
        if (another <= 0) {
            throw new CallFailure(Errno.EACCES); // in a pid namespace that is not seen from here
        }
        thread = another;
    }

    /** Opens the file that a path names. */
    int path(long address) throws CallFailure {
        return path(HERE, address, 0);
    }

    /** Opens the file that a path names; a link itself. */
    int linkPath(long address) throws CallFailure {
        return path(HERE, address, NO_FOLLOW);
    }

    /**
     * Opens the file that a path names relative to a folder; the caller closes it.
     *
     * @param flags {@code AT_SYMLINK_NOFOLLOW}, {@code AT_EMPTY_PATH}
     */
    int path(int folder, long address, long flags) throws CallFailure {
        if ((flags & ~(NO_FOLLOW | EMPTY_PATH)) != 0) {
            throw new CallFailure(Errno.EINVAL);
        }
        int length = memory.text(thread, address, path, PATH_BYTES, Errno.ENAMETOOLONG);
        if (length == 0) {
            if ((flags & EMPTY_PATH) == 0) {
                throw new CallFailure(Errno.ENOENT);
            }
            return folder == HERE ? workingFolder() : descriptor(folder);
        }
        boolean follows = (flags & NO_FOLLOW) == 0;
        OptionalInt own =
                follows
                        ? CallerPath.descriptor(path.getByteArray(0, length), this::isCaller)
                        : OptionalInt.empty();
        if (own.isPresent()) {
            return descriptor(own.getAsInt());
        }
        if (path.getByte(0) == '/') {
            return resolve(HERE, follows);
        }
        int from = folder == HERE ? workingFolder() : descriptor(folder);
        try {
            return resolve(from, follows);
        } finally {
            libc.close(from);
        }
    }

    private int resolve(int from, boolean follows) throws CallFailure {
        long link = libc.os().arm() ? 0x8000 : 0x2_0000; // O_NOFOLLOW
        how.setLong(0, follows ? PATH_ONLY : PATH_ONLY | link);
        how.setLong(16, NO_MAGIC_LINKS);
        return (int)
                CallFailure.check(
                        libc.system(
                                LinuxCall.OPENAT2,
                                from,
                                Pointer.nativeValue(path),
                                Pointer.nativeValue(how),
                                HOW_BYTES));
    }

    private boolean isCaller(int process) {
        return process == thread || process == process();
    }

    /** Returns the process of the thread; -1 when it is unknown. */
    private int process() {
        try {
            String own = "Tgid:\t";
            for (String line : Files.readAllLines(Path.of("/proc/" + thread + "/status"))) {
                if (line.startsWith(own)) {
                    return Integer.parseInt(line.substring(own.length()));
                }
            }
        } catch (IOException gone) {
            return -1;
        }
        return -1;
    }

    /** Opens the caller's working folder; the caller of this closes it. */
    private int workingFolder() throws CallFailure {
        return open("/proc/" + thread + "/cwd", Errno.EACCES);
    }

    /** Opens the file of a descriptor of the caller; the caller of this method closes it. */
    int descriptor(int number) throws CallFailure {
        if (number < 0) {
            throw new CallFailure(Errno.EBADF);
        }
        return open("/proc/" + thread + "/fd/" + number, Errno.EBADF);
    }

    private int open(String name, int absent) throws CallFailure {
        try (Arena arena = new Arena()) {
            int opened =
                    libc.openPath(arena.string(name.getBytes(StandardCharsets.US_ASCII)), false);
            return (int) CallFailure.check(opened == -Errno.ENOENT ? -absent : opened);
        }
    }

    /**
     * Duplicates a descriptor of the caller, see pidfd_getfd(2); the caller of this method closes
     * it.
     */
    int duplicate(int number) throws CallFailure {
        long handle = libc.system(LinuxCall.PIDFD_OPEN, thread, OF_THREAD);
        if (handle == -Errno.EINVAL) { // before Linux 6.9
            handle = libc.system(LinuxCall.PIDFD_OPEN, process(), 0);
        }
        CallFailure.check(handle);
        try {
            long duplicate = libc.system(LinuxCall.PIDFD_GETFD, handle, number, 0);
            return (int) CallFailure.check(duplicate == -Errno.EPERM ? -Errno.EACCES : duplicate);
        } finally {
            libc.close((int) handle);
        }
    }
}
