package palyra.shared.readiness;

/**
 * Whether the start of the gateway still goes on, which the launcher tells: what is not there yet
 * is on its way then, and only afterwards missing.
 */
public final class Startup {
    /**
     * System property that the launcher sets from the beginning of a start to its report: when the
     * start is over at the latest, by {@link System#nanoTime}.
     */
    public static final String STARTING = "palyra.starting";

    /** What is told of a part that is not there yet. */
    public static final String SENTENCE = "It is starting; ask again in a moment.";

    private Startup() {}

    /** Returns whether it goes on. */
    public static boolean goesOn() {
        Long end = Long.getLong(STARTING);
        return end != null && System.nanoTime() - end < 0;
    }
}
