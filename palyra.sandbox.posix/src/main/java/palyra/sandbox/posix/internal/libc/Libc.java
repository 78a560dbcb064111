package palyra.sandbox.posix.internal.libc;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls of the C library. Unless said otherwise a result below 0 is the negated error number, as in
 * the kernel. Thread-safe. After the first use of a method, another use loads no class, except for
 * those that throw: this matters on threads that may not open files any more.
 */
public final class Libc {
    /** Signal that cannot be refused. */
    public static final int SIGKILL = 9;

    private static final int O_WRONLY = 1;
    private static final int P_PID = 1;
    private static final int WEXITED = 4;

    private final Os os;
    private final NativeLibrary library;
    private final Function open;
    private final Function close;
    private final Function read;
    private final Function write;
    private final Function poll;
    private final Function kill;
    private final Function waitid;
    private final Function waitpid;
    private final Function pipe;
    private final Function syscall;
    private final Map<String, Function> functions = new ConcurrentHashMap<>();

    /**
     * Finds the functions.
     *
     * @throws UnsatisfiedLinkError when JNA cannot load its native part or the C library lacks one
     */
    public Libc(Os os) {
        this.os = os;
        library = NativeLibrary.getProcess();
        open = library.getFunction("open");
        close = library.getFunction("close");
        read = library.getFunction("read");
        write = library.getFunction("write");
        poll = library.getFunction("poll");
        kill = library.getFunction("kill");
        waitid = library.getFunction("waitid");
        waitpid = library.getFunction("waitpid");
        pipe = library.getFunction(os.linux() ? "pipe2" : "pipe");
        syscall = library.getFunction("syscall");
    }

    /** Returns the operating system. */
    public Os os() {
        return os;
    }

    /** Returns a function of the C library; throws UnsatisfiedLinkError when it lacks it. */
    public Function function(String name) {
        Function known = functions.get(name);
        if (known == null) {
            known = library.getFunction(name);
            functions.put(name, known);
        }
        return known;
    }

    /** Returns whether the C library has a function. */
    public boolean has(String name) {
        try {
            return library.getFunction(name) != null;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }

    private static int checked(int result) {
        return result == -1 ? -Native.getLastError() : result;
    }

    private static long checked(long result) {
        return result == -1 ? -Native.getLastError() : result;
    }

    /** Returns the effective user id. */
    public long effectiveUser() {
        return Integer.toUnsignedLong(function("geteuid").invokeInt(new Object[0]));
    }

    /** Calls the system; Linux only. Arguments are numbers; pointers are given by address. */
    public long system(LinuxCall call, long... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = os.call(call);
        for (int i = 0; i < arguments.length; i++) {
            all[i + 1] = arguments[i];
        }
        return checked(syscall.invokeLong(all));
    }

    /** Calls prctl(2); Linux only. */
    public int processControl(int option, long value) {
        return checked(function("prctl").invokeInt(new Object[] {option, value, 0L, 0L, 0L}));
    }

    /** Opens a path that is in native memory, for reading; closed at execution. */
    public int openRead(Pointer path) {
        return checked(open.invokeInt(new Object[] {path, closeOnExec()}));
    }

    /** Opens a path that is in native memory, for writing; closed at execution. */
    public int openWrite(Pointer path) {
        return checked(open.invokeInt(new Object[] {path, O_WRONLY | closeOnExec()}));
    }

    /** Opens what a path names without access to its content. */
    public int openPath(Pointer path, boolean folderOnly) {
        int flags = closeOnExec() | (os.linux() ? 0x20_0000 : 0);
        if (folderOnly) {
            flags |= os.linux() ? (os.arm() ? 0x4000 : 0x1_0000) : 0x10_0000;
        }
        return checked(open.invokeInt(new Object[] {path, flags}));
    }

    private int closeOnExec() {
        return os.pick(0x8_0000, 0x100_0000);
    }

    /**
     * Tells which file or folder a path leads to, see stat(3); Linux only.
     *
     * @param arguments path in native memory, and 256 bytes for the answer: device, then inode, of
     *     8 bytes each
     * @return 0 or the negated error number
     */
    public int stat(Object... arguments) {
        return checked(function("stat").invokeInt(arguments));
    }

    /** Tells which file or folder is open, as {@link #stat} does. */
    public int stat(int descriptor, Pointer answer) {
        return checked(function("fstat").invokeInt(new Object[] {descriptor, answer}));
    }

    /** Returns 0 when this user may execute the file. */
    public int mayExecute(Pointer path) {
        return checked(function("access").invokeInt(new Object[] {path, 1}));
    }

    /** Closes a descriptor; errors are ignored. */
    public void close(int descriptor) {
        close.invokeInt(new Object[] {descriptor});
    }

    /** Returns number of bytes, 0 at the end. */
    public long read(int descriptor, Pointer into, long length) {
        return checked(read.invokeLong(new Object[] {descriptor, into, length}));
    }

    /** Returns number of bytes. */
    public long write(int descriptor, Pointer from, long length) {
        return checked(write.invokeLong(new Object[] {descriptor, from, length}));
    }

    /** Waits for descriptors; {@code entries} is an array of {@code struct pollfd}. */
    public int poll(Pointer entries, int count, int millis) {
        Object many = os.linux() ? (Object) (long) count : (Object) count;
        return checked(poll.invokeInt(new Object[] {entries, many, millis}));
    }

    /** Makes a pipe whose ends are closed at execution: 0 is for reading, 1 for writing. */
    public int pipe(Pointer two) {
        return checked(
                pipe.invokeInt(
                        os.linux() ? new Object[] {two, closeOnExec()} : new Object[] {two}));
    }

    /** Sends a signal; a process below -1 is a group. */
    public int kill(long process, int signal) {
        return checked(kill.invokeInt(new Object[] {(int) process, signal}));
    }

    /** Waits until a child has ended and leaves it as it is; {@code info} has 128 bytes. */
    public int awaitEnd(int child, Pointer info) {
        int noReap = os.pick(0x0100_0000, 0x20);
        return checked(waitid.invokeInt(new Object[] {P_PID, child, info, WEXITED | noReap}));
    }

    /**
     * Waits as {@link #awaitEnd} does and reports the resource usage of the child and of the
     * children that it has waited for; Linux only. See waitid(2), getrusage(2).
     *
     * @param usage 144 bytes, a {@code struct rusage}
     */
    public int awaitEnd(int child, Pointer info, Pointer usage) {
        return (int)
                system(
                        LinuxCall.WAITID,
                        P_PID,
                        child,
                        Pointer.nativeValue(info),
                        WEXITED | 0x0100_0000,
                        Pointer.nativeValue(usage));
    }

    /** Reaps a child that has ended; does not wait. */
    public int reap(int child) {
        return checked(waitpid.invokeInt(new Object[] {child, Pointer.NULL, 1}));
    }

    /** Calls a function that returns its error number, as those of posix_spawn do. */
    public static int plain(Function function, Object... arguments) {
        return function.invokeInt(arguments);
    }

    /** Returns all hard limits of this process; -1 for unlimited. */
    public Map<Limit, Long> hardLimits() {
        Map<Limit, Long> all = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            all.put(limit, hardLimit(limit));
        }
        return Map.copyOf(all);
    }

    /** Returns a hard limit of this process; -1 for none. */
    public long hardLimit(Limit limit) {
        try (Arena arena = new Arena()) {
            Pointer pair = arena.zeros(16);
            int number = os.pick(limit.linux(), limit.mac());
            int result = checked(function("getrlimit").invokeInt(new Object[] {number, pair}));
            long hard = pair.getLong(8);
            return result < 0 || hard == Long.MAX_VALUE ? -1 : hard;
        }
    }
}
