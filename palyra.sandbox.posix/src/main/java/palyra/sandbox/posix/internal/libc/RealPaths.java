package palyra.sandbox.posix.internal.libc;

import com.sun.jna.Pointer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Opens a path only when it contains no symbolic link, see openat2(2): a link that is put there
 * between the checks before and after a start must not lead a sandbox outside. Linux only.
 * Stateless.
 */
public final class RealPaths {
    private static final long HERE = -100; // AT_FDCWD
    private static final long PATH_ONLY = 0x28_0000; // O_PATH | O_CLOEXEC
    private static final long NO_LINKS = 0x04; // RESOLVE_NO_SYMLINKS, magic links included
    private static final long STAYS_BELOW = 0x08; // RESOLVE_BENEATH
    private static final int SIZE = 24; // of struct open_how

    private RealPaths() {}

    /**
     * Opens a file or folder with O_PATH; closed at execution.
     *
     * @param path absolute, in native memory
     * @param text the same, for messages
     * @return a descriptor; the negated error number when the path does not exist
     * @throws PalyraException DENIED when there is a link in the path, TOOL_UNAVAILABLE or
     *     RESOURCE_EXHAUSTED when the kernel refuses
     */
    public static int open(Libc libc, Pointer path, String text) {
        return answer(open(libc, HERE, path, PATH_ONLY, NO_LINKS), text);
    }

    /**
     * Opens a folder below an open one with O_PATH, as {@link #open(Libc, Pointer, String)} does.
     *
     * @param folder descriptor of the folder
     * @param path relative, in native memory
     */
    public static int below(Libc libc, int folder, Pointer path, String text) {
        long flags = PATH_ONLY | (libc.os().arm() ? 0x4000 : 0x1_0000); // O_DIRECTORY
        return answer(open(libc, folder, path, flags, NO_LINKS | STAYS_BELOW), text);
    }

    private static int open(Libc libc, long from, Pointer path, long flags, long resolve) {
        try (Arena arena = new Arena()) {
            Pointer how = arena.zeros(SIZE);
            how.setLong(0, flags);
            how.setLong(16, resolve);
            return (int)
                    libc.system(
                            LinuxCall.OPENAT2,
                            from,
                            Pointer.nativeValue(path),
                            Pointer.nativeValue(how),
                            SIZE);
        }
    }

    private static int answer(int opened, String text) {
        if (opened >= 0 || opened == -Errno.ENOENT || opened == -Errno.ENOTDIR) {
            return opened;
        }
        throw opened == -Errno.ELOOP ? linked(text) : refused(-opened, text);
    }

    private static PalyraException linked(String text) {
        return new PalyraException(
                ErrorCode.DENIED,
                "The path "
                        + text
                        + " contains a symbolic link, so the command is not started; use its real"
                        + " path.");
    }

    private static PalyraException refused(int errno, String text) {
        boolean full = errno == Errno.EMFILE || errno == Errno.ENFILE || errno == Errno.ENOMEM;
        return new PalyraException(
                full ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.TOOL_UNAVAILABLE,
                "The kernel refused to open "
                        + text
                        + " by its real path: "
                        + Errno.words(errno)
                        + ".");
    }
}
