package palyra.sandbox.tierb.internal;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Calls of the C library that Java lacks: open, make and remove a folder relative to an open one,
 * see openat(2), mkdirat(2) and unlinkat(2). Results below 0 are negated error numbers. Called
 * through JNA's {@code Function}, not by direct mapping, which would keep this bundle's classes for
 * ever. Numbers from {@code bits/fcntl.h} of Linux and {@code sys/fcntl.h} of macOS. Thread-safe.
 */
final class FolderCalls {
    static final int ENOENT = 2;
    static final int EEXIST = 17;
    static final int ENOTDIR = 20;
    static final int EMFILE = 24;
    static final int ENFILE = 23;

    private final boolean linux;
    private final int folderFlags;
    private final int loop;
    private final Function openat;
    private final Function mkdirat;
    private final Function unlinkat;
    private final Function close;

    /**
     * Finds the functions.
     *
     * @throws UnsatisfiedLinkError when JNA cannot load its native part or the C library lacks one
     */
    FolderCalls() {
        linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
        boolean arm = System.getProperty("os.arch", "").equals("aarch64");
        // without access to its content (Linux only), a folder, no link, closed at execution
        folderFlags =
                linux
                        ? 0x20_0000 | (arm ? 0x4000 | 0x8000 : 0x1_0000 | 0x2_0000) | 0x8_0000
                        : 0x10_0000 | 0x100 | 0x100_0000;
        loop = linux ? 40 : 62;
        NativeLibrary library = NativeLibrary.getProcess();
        openat = library.getFunction("openat");
        mkdirat = library.getFunction("mkdirat");
        unlinkat = library.getFunction("unlinkat");
        close = library.getFunction("close");
    }

    /** Returns whether a descriptor can be named as a path below {@code /proc/self/fd}. */
    boolean namesDescriptors() {
        return linux;
    }

    /** Returns whether an error number says that a link, or something else, is no folder. */
    boolean saysNoFolder(int errno) {
        return errno == ENOTDIR || errno == loop;
    }

    /**
     * Opens a folder that is no symbolic link.
     *
     * @param at descriptor of the folder that it is in; of no meaning for {@code /}
     * @param name a single name, or {@code /}
     */
    int open(int at, String name) {
        return result(openat.invokeInt(new Object[] {at, bytes(name), folderFlags}));
    }

    /** Makes a folder for its owner only. */
    int make(int at, String name) {
        return result(mkdirat.invokeInt(new Object[] {at, bytes(name), 0700}));
    }

    /** Removes an empty folder; never follows a link. */
    int removeFolder(int at, String name) {
        return result(unlinkat.invokeInt(new Object[] {at, bytes(name), linux ? 0x200 : 0x80}));
    }

    /** Removes what is no folder, such as a link itself. */
    int removeFile(int at, String name) {
        return result(unlinkat.invokeInt(new Object[] {at, bytes(name), 0}));
    }

    /** Closes a descriptor; errors are of no interest to anybody. */
    void close(int descriptor) {
        close.invokeInt(new Object[] {descriptor});
    }

    private static int result(int returned) {
        return returned == -1 ? -Native.getLastError() : returned;
    }

    /** Returns a name as C has it, in UTF-8 whatever the JVM's locale is, as the launcher does. */
    private static byte[] bytes(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, text.length + 1);
    }
}
