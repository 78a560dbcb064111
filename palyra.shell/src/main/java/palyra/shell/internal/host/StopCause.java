package palyra.shell.internal.host;

/** Why a command is told to stop. */
public enum StopCause {
    /** Somebody pressed Ctrl-C or ended the client. */
    PERSON,
    /** The client is gone without a word. */
    DISCONNECTED,
    /** The shell, or the bundle of the command, is being replaced or stopped. */
    WITHDRAWN
}
