package palyra.sandbox.internal.run;

import java.util.Locale;
import palyra.api.core.access.Confinement.Egress;

/** Enforcement strings of what never started: first the egress mode that was asked for. */
public final class Enforcement {
    /** Executor of what never started. */
    public static final String NO_EXECUTOR = "none";

    private Enforcement() {}

    /**
     * Returns what the runner adds for a command that shares the host's network: the sandbox keeps
     * it from the gateway's ports of the start, and a further one ends it. Empty for others.
     */
    static String ownPorts(Egress egress, boolean trial) {
        return egress == Egress.STRICT || trial ? "" : " own-ports=fixed,new-ends";
    }

    /** Returns the string for a command that did not start. */
    public static String notStarted(Egress egress) {
        return egress.name().toLowerCase(Locale.ROOT) + " started=no";
    }
}
