package palyra.console.internal.run;

import palyra.api.console.Level;
import palyra.api.run.RunState;

/** States of runs in words. Pure functions. */
public final class RunWords {
    private RunWords() {}

    /** Returns a state in words. */
    public static String state(RunState state) {
        return switch (state) {
            case ACCEPTED -> "waits for its turn";
            case RUNNING -> "running";
            case AWAITING_APPROVAL -> "waits for approval";
            case QUARANTINED -> "set aside";
            case SUCCEEDED -> "done";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
    }

    /** Returns how a state is shown. */
    public static Level level(RunState state) {
        return switch (state) {
            case ACCEPTED -> Level.NEUTRAL;
            case RUNNING -> Level.NOTICE;
            case AWAITING_APPROVAL, CANCELLED -> Level.WARNING;
            case SUCCEEDED -> Level.GOOD;
            case QUARANTINED, FAILED -> Level.BAD;
        };
    }

    /** Returns the class of a level in styles. */
    public static String css(Level level) {
        return level.name().toLowerCase(java.util.Locale.ROOT);
    }
}
