package palyra.sandbox.posix.internal.libc;

/** Error numbers that are the same on Linux and macOS, except where said. */
public final class Errno {
    /** Not permitted. */
    public static final int EPERM = 1;

    /** No such file. */
    public static final int ENOENT = 2;

    /** No such process. */
    public static final int ESRCH = 3;

    /** Interrupted by a signal. */
    public static final int EINTR = 4;

    /** Argument list too long. */
    public static final int E2BIG = 7;

    /** Not in an executable format. */
    public static final int ENOEXEC = 8;

    /** Not an open descriptor. */
    public static final int EBADF = 9;

    /** No such child. */
    public static final int ECHILD = 10;

    /** No process left; 35 on macOS. */
    public static final int EAGAIN = 11;

    /** No memory. */
    public static final int ENOMEM = 12;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Not an address of the caller. */
    public static final int EFAULT = 14;

    /** Something else has it. */
    public static final int EBUSY = 16;

    /** Not a folder. */
    public static final int ENOTDIR = 20;

    /** Is a folder. */
    public static final int EISDIR = 21;

    /** Invalid argument. */
    public static final int EINVAL = 22;

    /** Too many files are open on this system. */
    public static final int ENFILE = 23;

    /** Too many files are open in this process. */
    public static final int EMFILE = 24;

    /** More than there is room for. */
    public static final int ERANGE = 34;

    /** A path is too long; of Linux. */
    public static final int ENAMETOOLONG = 36;

    /** No such system call; of Linux. */
    public static final int ENOSYS = 38;

    /** A link where none may be; of Linux. */
    public static final int ELOOP = 40;

    /** The reading end of the pipe is closed. */
    public static final int EPIPE = 32;

    /** Not for this kind of file; of Linux. */
    public static final int EOPNOTSUPP = 95;

    private Errno() {}

    /** Returns a few words, such as {@code permission denied (13)}. */
    public static String words(int errno) {
        String words =
                switch (errno) {
                    case EPERM -> "operation not permitted";
                    case ENOENT -> "no such file";
                    case ESRCH -> "no such process";
                    case E2BIG -> "the arguments are too long";
                    case ENOEXEC -> "not in an executable format";
                    case EAGAIN, 35 -> "no process is left for this user";
                    case ENOMEM -> "no memory is left";
                    case EACCES -> "permission denied";
                    case EBUSY -> "it is in use already";
                    case ENOTDIR -> "a part of the path is not a folder";
                    case EISDIR -> "it is a folder";
                    case EINVAL -> "invalid argument";
                    case ENFILE, EMFILE -> "too many files are open";
                    case EPIPE -> "the reading end of the pipe is closed";
                    default -> "error of the system";
                };
        return words + " (" + errno + ")";
    }

    /**
     * Returns the name of an error that calls for files give, such as {@code ENOSPC}; {@code errno
     * 200} for one without a name here. Sources: {@code asm-generic/errno.h} of Linux, {@code
     * sys/errno.h} of macOS.
     */
    public static String name(int errno, boolean linux) {
        return switch (errno) {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case EINTR -> "EINTR";
            case 5 -> "EIO";
            case EBADF -> "EBADF";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EBUSY -> "EBUSY";
            case 17 -> "EEXIST";
            case ENOTDIR -> "ENOTDIR";
            case EISDIR -> "EISDIR";
            case EINVAL -> "EINVAL";
            case ENFILE -> "ENFILE";
            case EMFILE -> "EMFILE";
            case 28 -> "ENOSPC";
            case 30 -> "EROFS";
            case 31 -> "EMLINK";
            default -> linux ? nameOnLinux(errno) : nameOnMac(errno);
        };
    }

    private static String nameOnLinux(int errno) {
        return switch (errno) {
            case ENAMETOOLONG -> "ENAMETOOLONG";
            case 39 -> "ENOTEMPTY";
            case ELOOP -> "ELOOP";
            case 116 -> "ESTALE";
            case 122 -> "EDQUOT";
            default -> "errno " + errno;
        };
    }

    private static String nameOnMac(int errno) {
        return switch (errno) {
            case 62 -> "ELOOP";
            case 63 -> "ENAMETOOLONG";
            case 66 -> "ENOTEMPTY";
            case 69 -> "EDQUOT";
            case 70 -> "ESTALE";
            default -> "errno " + errno;
        };
    }
}
