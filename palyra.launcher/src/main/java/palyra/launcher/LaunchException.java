package palyra.launcher;

/** A start that fails, with a message for the user and an exit code. */
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
