package palyra.console.internal.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
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

    /** Returns the state of that name; empty for a name that no state has. */
    public static Optional<RunState> named(String name) {
        return Arrays.stream(RunState.values()).filter(s -> s.name().equals(name)).findFirst();
    }

    /** Returns the class of a level in styles. */
    public static String css(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
