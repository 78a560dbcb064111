package palyra.api.command;

import palyra.api.ErrorCode;

/** Exit codes of commands; the numbers above 63 are those of BSD's sysexits.h. */
public final class ExitCodes {
    /** Success. */
    public static final int OK = 0;

    /** The command ran and reports a failure: a run failed, or a check found faults. */
    public static final int FAILED = 1;

    /** The arguments are wrong; nothing was done. */
    public static final int USAGE = 64;

    /** The data is broken: a tape does not verify. */
    public static final int DATA = 65;

    /** The named object does not exist. */
    public static final int NOT_FOUND = 66;

    /** A required service is not available. */
    public static final int UNAVAILABLE = 69;

    /** A defect of Palyra. */
    public static final int INTERNAL = 70;

    /** A resource is exhausted: disk, queue or budget. */
    public static final int RESOURCE = 75;

    /** Permission was refused. */
    public static final int DENIED = 77;

    /** Cancelled by the user. */
    public static final int CANCELLED = 130;

    private ExitCodes() {}

    /** Returns the exit code for an error. */
    public static int of(ErrorCode code) {
        if (code == ErrorCode.NOT_FOUND) {
            return NOT_FOUND;
        }
        if (code == ErrorCode.CORRUPT) {
            return DATA;
        }
        if (code == ErrorCode.CANCELLED) {
            return CANCELLED;
        }
        if (code == ErrorCode.CONFLICT || code == ErrorCode.ALREADY_EXISTS) {
            return FAILED;
        }
        return switch (code.kind()) {
            case USER -> USAGE;
            case POLICY -> DENIED;
            case RESOURCE -> RESOURCE;
            case UNAVAILABLE -> UNAVAILABLE;
            case INTERNAL -> INTERNAL;
        };
    }
}
