package palyra.console.internal.run.stream;

/** Something changed; what it is, the reader asks for, with its own rights. */
sealed interface Hint {
    /** A run went on. */
    record OfRun(String runId) implements Hint {}

    /**
     * An approval request came or was decided.
     *
     * @param runId run that waits; empty when none does
     */
    record OfApproval(String runId) implements Hint {}

    /** The journal has further events, or an answer waits for its connector. */
    record OfSystem(String topic) implements Hint {}
}
