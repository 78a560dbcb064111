package palyra.sandbox.posix.internal.process;

/** A child process of this JVM. Thread-safe. */
public interface Child {
    /** Returns its id. */
    long pid();

    /** Waits until it has ended. */
    End awaitEnd() throws InterruptedException;

    /** Sends SIGKILL to it and to its process group; does nothing once it was reaped. */
    void killGroup();

    /**
     * Reaps it; the kernel may then reuse its id. Only after it has ended and its descendants were
     * searched for.
     */
    void reap();

    /**
     * How it ended.
     *
     * @param code exit code, or 128 plus the number of the signal
     * @param signalled whether it was a signal
     * @param lost whether other code has reaped it, so that its status is unknown
     * @param cpuMillis processor time of it and of those that it has waited for; -1 if unknown
     */
    record End(int code, boolean signalled, boolean lost, long cpuMillis) {}
}
