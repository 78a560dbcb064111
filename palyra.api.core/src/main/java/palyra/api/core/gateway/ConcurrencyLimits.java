package palyra.api.core.gateway;

/**
 * How many runs of a surface may work at a time, as the bundle that brings its messages says. The
 * gateway asks before it starts a run and keeps the last answer while the service is away or does
 * not know. Runs beyond the limit wait in their order and hold up no other surface. A run that
 * waits for people does not count. Thread-safe.
 */
public interface ConcurrencyLimits {
    /** The service does not know the surface, or not now. */
    int UNKNOWN = 0;

    /** A surface without a limit of its own. */
    int NO_LIMIT = Integer.MAX_VALUE;

    /**
     * Returns the most runs of a surface at a time, 1 or more, {@link #NO_LIMIT} or {@link
     * #UNKNOWN}. Answers at once, without I/O.
     *
     * @param surface as in {@code SubmittedMessage}, such as {@code telegram:main}
     */
    int mostRuns(String surface);
}
