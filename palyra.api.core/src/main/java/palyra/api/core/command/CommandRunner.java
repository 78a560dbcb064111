package palyra.api.core.command;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Principal;

/**
 * Runs commands as the shell does: the same argument check, permission, record and exit codes. A
 * surface that renders what commands say has no second truth. Thread-safe.
 */
@ProviderType
public interface CommandRunner {
    /**
     * Runs a command and waits for its end. A command that wants a terminal is told that there is
     * none. When the time is up the command is asked to stop.
     *
     * @param caller an authenticated principal
     * @param argv the command's words, options and arguments; {@code --json} for a document
     * @param input what it reads from standard input; empty for none
     * @param limits bounds of this execution
     * @throws palyra.api.PalyraException TIMED_OUT when the command did not end in time; its
     *     effect, if any, is not known then
     */
    CommandResult run(Principal caller, List<String> argv, byte[] input, Limits limits);

    /**
     * Bounds of an execution.
     *
     * @param outputBytes most bytes of standard output that are kept; a command that writes more is
     *     stopped, and the result says so
     * @param timeMillis most milliseconds that the caller waits
     */
    record Limits(int outputBytes, long timeMillis) {
        /** 2 MiB and 10 seconds. */
        public static final Limits USUAL = new Limits(2 << 20, 10_000);
    }
}
