package palyra.shared.worker;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** A started worker. Closing it kills it and gives everything back; it may be closed again. */
public interface WorkerProcess extends AutoCloseable {
    /** Returns what it says. */
    InputStream out();

    /** Returns what it prints; for the log. */
    InputStream err();

    /** Returns where it listens. */
    OutputStream in();

    /** Returns what confines it, as in an enforcement string. */
    String isolation();

    /** Returns the processor time that it used so far, in milliseconds; -1 when nothing tells. */
    long cpuMillis();

    /** Waits for its end; empty when it still runs after that time. */
    Optional<Ending> await(long millis) throws InterruptedException;

    /** Returns how it ended in words, waiting a moment for that. */
    default String ending() {
        try {
            return await(500).map(Ending::words).orElse("though its process still runs");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "before its exit code was read";
        }
    }

    @Override
    void close();

    /**
     * Exit of a worker.
     *
     * @param exitCode exit code, 128 plus the signal's number when a signal ended it
     * @param outOfMemory whether the kernel ended it at its limit of memory
     * @param problem one sentence; empty when it ran
     */
    record Ending(int exitCode, boolean outOfMemory, String problem) {
        /** Returns it in words. */
        public String words() {
            return "exit code "
                    + exitCode
                    + (outOfMemory ? ", out of memory" : "")
                    + (problem.isEmpty() ? "" : ", " + problem);
        }
    }
}
