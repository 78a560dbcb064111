package palyra.api.core.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A command that was started in a sandbox. Thread-safe, but each stream is for one thread.
 *
 * <p>The owner calls {@link #close} in the end; closing kills the remaining processes.
 */
@ConsumerType
public interface SandboxProcess extends AutoCloseable {
    /** Returns the process id of the outermost process on the host. */
    long pid();

    /**
     * Returns the process id on the host of the first process inside of its sandbox.
     *
     * @param millis longest wait until it is known
     * @return the id; 0 when it is not known, or there is no such process
     */
    default long innerPid(long millis) throws InterruptedException {
        return 0;
    }

    /** Returns its standard output; at its end when every holder has closed it. */
    InputStream stdout();

    /** Returns its standard error. */
    InputStream stderr();

    /** Returns its standard input; refuses writes when the specification asked for none. */
    OutputStream stdin();

    /**
     * Waits for the command itself, not for processes that it left behind.
     *
     * @param millis longest wait; 0 looks only
     * @return how it ended; empty when it still runs
     */
    Optional<ExitReport> await(long millis) throws InterruptedException;

    /** Returns what it has used so far. */
    Usage usage();

    /**
     * Ends every process of the command: complete, and bounded to about a second. Does nothing when
     * all are gone; may be called again.
     *
     * @return number of processes that could not be confirmed dead; 0 is expected
     */
    int kill();

    /**
     * Returns the enforced confinement: first the egress mode ({@code none}, {@code preflight},
     * {@code strict}), then {@code key=value} facts, one space between.
     */
    String enforcement();

    /**
     * Kills the remaining processes and releases everything: pipes, cgroup, files. May be called
     * again.
     */
    @Override
    void close();

    /**
     * How a command ended.
     *
     * @param started whether the program itself was executed; false when the sandbox or the
     *     execution failed, with the reason in {@code problem}
     * @param exitCode exit code, 128 plus the signal's number when a signal ended it; -1 when it
     *     never ran
     * @param problem one sentence: why it did not run, or why its launcher ended it; empty for an
     *     end of its own
     * @param outOfMemory whether it was ended because its processes needed more memory than they
     *     may hold together
     * @param end whether a signal ended it
     */
    record ExitReport(
            boolean started, int exitCode, String problem, boolean outOfMemory, EndKind end) {
        /** Creates a report without knowing whether a signal ended the process. */
        public ExitReport(boolean started, int exitCode, String problem, boolean outOfMemory) {
            this(started, exitCode, problem, outOfMemory, EndKind.UNKNOWN);
        }
    }

    /** The meaning of an exit code: a command may end with 137 by itself. */
    enum EndKind {
        /** It ended by itself with the code. */
        EXITED,
        /** A signal ended it; the code is 128 plus its number. */
        SIGNALLED,
        /** Unknown: the sandbox reports only a code. */
        UNKNOWN
    }

    /**
     * What a command has used.
     *
     * @param cpuMillis processor time; -1 when nothing counts it
     * @param peakMemoryBytes most memory at one time; -1 when nothing counts it
     * @param wholeTree whether both count every process of the command
     */
    record Usage(long cpuMillis, long peakMemoryBytes, boolean wholeTree) {}
}
