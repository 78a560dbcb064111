package palyra.sandbox.posix.internal.life;

/** A child process of this JVM. Thread-safe. */
public interface Child {
    /** Returns its id. */
    long pid();

    /** Waits until it has ended. */
    End awaitEnd() throws InterruptedException;

    /** Sends SIGKILL to it and to its process group; does nothing once it was taken away. */
    void killGroup();

    /**
     * Takes it away, after which its id may be anybody's. Only when it has ended and everything
     * that it has started was looked for.
     */
    void reap();

    /**
     * How it ended.
     *
     * @param code exit code, or 128 plus the number of the signal
     * @param signalled whether it was a signal
     * @param lost whether somebody else has taken it away, so that nobody knows
     * @param cpuMillis processor time of it and of those that it has waited for; -1 if unknown
     * @param peakBytes most memory that one of them held at a time, or that this JVM held when it
     *     started it, whatever is more; -1 if unknown
     */
    record End(int code, boolean signalled, boolean lost, long cpuMillis, long peakBytes) {}
}
