package palyra.api.tool;

/**
 * A resource that a tool can reach. A tool declares every capability it may use; policy decides by
 * the declared ones.
 */
public enum Capability {
    /** Starts processes. */
    PROCESS_EXEC(true),
    /** Runs code that each call gives it, such as a line of shell. */
    CODE_EXEC(true),
    /** Opens network connections. */
    NETWORK(true),
    /** Reads secrets. */
    SECRETS_READ(true),
    /** Reads files of a workspace. */
    FILESYSTEM_READ(true),
    /** Writes files of a workspace. */
    FILESYSTEM_WRITE(true),
    /** Reads artifacts of earlier calls. */
    ARTIFACTS_READ(false),
    /** Another capability; treated as sensitive. */
    OTHER(true);

    private final boolean sensitive;

    Capability(boolean sensitive) {
        this.sensitive = sensitive;
    }

    /** Returns whether a tool with this capability counts as sensitive. */
    public boolean sensitive() {
        return sensitive;
    }
}
