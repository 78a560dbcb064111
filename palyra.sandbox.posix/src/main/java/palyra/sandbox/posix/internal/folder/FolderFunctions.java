package palyra.sandbox.posix.internal.folder;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Functions of the C library relative to an open folder, see openat(2), mkdirat(2) and unlinkat(2).
 * Results below 0 are negated error numbers. Numbers from {@code bits/fcntl.h} of Linux and {@code
 * sys/fcntl.h} of macOS. Thread-safe.
 */
final class FolderFunctions {
    private final Libc libc;
    private final int folderFlags;

    /**
     * Finds the functions.
     *
     * @throws UnsatisfiedLinkError when the C library lacks one
     */
    FolderFunctions(Libc libc) {
        this.libc = libc;
        // without access to its content (Linux only), a folder, no link, closed at execution
        folderFlags =
                libc.os().linux()
                        ? 0x20_0000
                                | (libc.os().arm() ? 0x4000 | 0x8000 : 0x1_0000 | 0x2_0000)
                                | 0x8_0000
                        : 0x10_0000 | 0x100 | 0x100_0000;
        libc.function("openat");
        libc.function("mkdirat");
        libc.function("unlinkat");
    }

    /** Returns whether this is Linux: a descriptor has a path below {@code /proc/self/fd}. */
    boolean linux() {
        return libc.os().linux();
    }

    /**
     * Opens a folder; a symbolic link is refused.
     *
     * @param at descriptor of the folder that it is in; of no meaning for {@code /}
     * @param name a single name, or {@code /}
     */
    int open(int at, String name) {
        return call("openat", at, name, folderFlags);
    }

    /** Makes a folder. */
    int make(int at, String name, int mode) {
        return call("mkdirat", at, name, mode);
    }

    /** Removes an empty folder or a file; never follows a link. */
    int remove(int at, String name, boolean folder) {
        int folderFlag = linux() ? 0x200 : 0x80;
        return call("unlinkat", at, name, folder ? folderFlag : 0);
    }

    /** Closes a descriptor. */
    void close(int descriptor) {
        libc.close(descriptor);
    }

    private int call(String function, int at, String name, int number) {
        try (Arena arena = new Arena()) {
            Pointer text = arena.string(Descriptors.bytes(name, "The name of a folder"));
            int result = libc.function(function).invokeInt(new Object[] {at, text, number});
            return result == -1 ? -Native.getLastError() : result;
        }
    }
}
