package palyra.launcher;

/**
 * What the process tells its parent, in the numbers of {@code sysexits.h}. The numbers are
 * documented. A JVM that dies ends with 1, with 3 ({@code ExitOnOutOfMemoryError}) or with 128 and
 * its signal: no number that keeps the service manager from a restart is one of those.
 */
enum ExitCode {
    /** The gateway ran and was stopped. */
    STOPPED(0),
    /** Something unforeseen: the message says what. */
    FAILED(1),
    /** A wrong argument, or a state folder that may not be used (EX_USAGE). */
    USAGE(64),
    /** The client found no running gateway (EX_UNAVAILABLE). */
    NO_GATEWAY(69),
    /**
     * The infrastructure bundles do not resolve or start: the installation is broken (EX_SOFTWARE).
     */
    BROKEN(70),
    /**
     * The state folder's medium takes nothing: no space, read-only, or not for this user
     * (EX_IOERR).
     */
    MEDIUM(74),
    /** Another process holds the state folder (EX_TEMPFAIL). */
    LOCKED(75),
    /** The gateway broke the frame protocol or went away in mid command (EX_PROTOCOL). */
    PROTOCOL(76),
    /** Interrupted at the terminal. */
    INTERRUPTED(130),
    /** What read the output has gone: 128 and SIGPIPE. */
    READER_GONE(141);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
