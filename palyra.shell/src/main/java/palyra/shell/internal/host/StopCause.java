package palyra.shell.internal.host;

/** Why a command should stop. */
public enum StopCause {
    /** A user pressed Ctrl-C or ended the client. */
    PERSON,
    /** The client closed the connection. */
    DISCONNECTED,
    /** The shell, or the bundle of the command, is being replaced or stopped. */
    WITHDRAWN
}
