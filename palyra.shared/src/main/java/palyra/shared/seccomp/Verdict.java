package palyra.shared.seccomp;

/** What a filter returns for a call: {@code SECCOMP_RET_*} of seccomp(2). */
final class Verdict {
    /** The call is made. */
    static final int ALLOW = 0x7FFF0000;

    /** A supervisor answers. */
    static final int USER_NOTIF = 0x7FC00000;

    /** The whole process ends. */
    static final int KILL_PROCESS = 0x80000000;

    private static final int ERRNO = 0x00050000;

    /** Operation not permitted. */
    static final int EPERM = ERRNO | 1;

    /** This file has no such request; what most file systems say to most of them. */
    static final int ENOTTY = ERRNO | 25;

    /** No such system call; libraries take it as a hint to use an older one. */
    static final int ENOSYS = ERRNO | 38;

    /** No such kind of address. */
    static final int EAFNOSUPPORT = ERRNO | 97;

    /** No such protocol. */
    static final int EPROTONOSUPPORT = ERRNO | 93;

    /** No such type of socket. */
    static final int ESOCKTNOSUPPORT = ERRNO | 94;

    /** The kernel's error where TCP Fast Open is off; programs then connect without it. */
    static final int EOPNOTSUPP = ERRNO | 95;

    private Verdict() {}
}
