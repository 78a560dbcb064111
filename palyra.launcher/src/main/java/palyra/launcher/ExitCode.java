package palyra.launcher;

/** What the process tells its parent. The numbers are documented and never change. */
enum ExitCode {
    /** The gateway ran and was stopped. */
    STOPPED(0),
    /** Something unforeseen: the message says what. */
    FAILED(1),
    /** A wrong argument, or a state folder that may not be used. */
    USAGE(2),
    /** Another process holds the state folder. */
    LOCKED(3),
    /** The infrastructure bundles do not resolve or start: the installation is broken. */
    BROKEN(4),
    /** The state folder's medium takes nothing: no space, read-only, or not for this user. */
    MEDIUM(5),
    /** The client found no running gateway (EX_UNAVAILABLE). */
    NO_GATEWAY(69),
    /** The gateway broke the frame protocol or went away in mid command (EX_PROTOCOL). */
    PROTOCOL(76),
    /** Interrupted at the terminal. */
    INTERRUPTED(130);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
