package palyra.sandbox.internal.workspace;

/** Workspaces. */
public final class Workspaces {
    /** Creates. */
    public Workspaces(
            java.nio.file.Path root,
            java.util.Map<String, java.nio.file.Path> byAgent,
            java.util.List<java.nio.file.Path> gatewayFolders) {}

    /** Returns. */
    public java.nio.file.Path of(String agentId) {
        throw new IllegalStateException("being written");
    }
}
