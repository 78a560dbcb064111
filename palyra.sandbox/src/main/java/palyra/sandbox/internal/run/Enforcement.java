package palyra.sandbox.internal.run;

import java.util.Locale;
import palyra.api.core.access.Confinement.Egress;

/** Enforcement strings of what never started: first the egress mode that was asked for. */
public final class Enforcement {
    /** Executor of what never started. */
    public static final String NO_EXECUTOR = "none";

    private Enforcement() {}

    /** Returns the string for a command that did not start. */
    public static String notStarted(Egress egress) {
        return egress.name().toLowerCase(Locale.ROOT) + " started=no";
    }
}
