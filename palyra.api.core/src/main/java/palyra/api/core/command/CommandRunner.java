package palyra.api.core.command;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.Require;
import palyra.api.access.Principal;

/**
 * Runs commands as the shell does: the same check of arguments, permission, record and exit codes.
 * A surface that renders what commands say has no second truth. Thread-safe.
 */
@ProviderType
public interface CommandRunner {
    /**
     * Starts a command and returns at once. It has no terminal and no working folder. It is asked
     * to stop when its time is up or its output is full.
     *
     * @param caller an authenticated principal
     * @param argv the command's words, options and arguments; {@code --json} for a document
     * @param input what it reads from standard input; empty for none
     */
    CommandExecution start(Principal caller, List<String> argv, byte[] input, Limits limits);

    /** An execution; it goes on also when the runner is replaced, or ends with the reason. */
    @ProviderType
    interface CommandExecution {
        /**
         * Waits for the end.
         *
         * @throws palyra.api.PalyraException TIMED_OUT when the time of its limits is up: it was
         *     asked to stop, and what it changed, if anything, is not known
         */
        CommandResult await();

        /** Asks the command to stop. */
        void stop();
    }

    /**
     * Bounds of an execution.
     *
     * @param outputBytes most bytes of standard output that are kept, 1 to 64 MiB
     * @param timeMillis most milliseconds it may take, 1 to 600,000
     */
    record Limits(int outputBytes, long timeMillis) {
        private static final int MOST_BYTES = 64 << 20;
        private static final long MOST_MILLIS = 600_000;

        /** 2 MiB and 10 seconds. */
        public static final Limits USUAL = new Limits(2 << 20, 10_000);

        /** Checks. */
        public Limits {
            Require.that(
                    outputBytes >= 1 && outputBytes <= MOST_BYTES,
                    outputBytes + " bytes is not a bound: 1 to " + MOST_BYTES);
            Require.that(
                    timeMillis >= 1 && timeMillis <= MOST_MILLIS,
                    timeMillis + " ms is not a bound: 1 to " + MOST_MILLIS);
        }
    }
}
