package palyra.skills.internal.artifact;

/** How large an artifact and its parts may be. */
public final class ArtifactLimits {
    /** Bytes of the file, and of all entries together. */
    public static final int MAX_BYTES = 64 << 20;

    /** Bytes of one entry. */
    public static final int MAX_ENTRY_BYTES = 16 << 20;

    /** Bytes of one module: the same limit that holds when it runs. */
    public static final int MAX_MODULE_BYTES = 8 << 20;

    /** Entries. */
    public static final int MAX_ENTRIES = 256;

    private ArtifactLimits() {}
}
