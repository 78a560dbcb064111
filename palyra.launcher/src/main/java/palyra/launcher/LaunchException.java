package palyra.launcher;

/** A start that cannot go on: the sentence for the person and the exit code for the machine. */
final class LaunchException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    LaunchException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    LaunchException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
