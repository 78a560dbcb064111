package palyra.sandbox.internal.run;

/**
 * How much a workspace may hold.
 *
 * @param bytes sizes of all its files together
 * @param files number of its files, folders and links
 */
public record DiskQuota(long bytes, long files) {
    /** No bound. */
    public static final DiskQuota NONE = new DiskQuota(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns what is held of what is allowed, as a model reads it. */
    String compared(DiskUsage use) {
        return use.bytes()
                + " of "
                + bytes
                + " bytes in "
                + use.files()
                + " of "
                + files
                + " files"
                + (use.uncounted() > 0 ? ", and " + use.uncounted() + " that cannot be read" : "");
    }

    /** Returns whether what was counted is too much by itself. */
    boolean isTooLittleFor(DiskUsage use) {
        return use.bytes() > bytes || use.files() > files;
    }

    /** What cannot be counted is too much: it could be made anything. */
    boolean isExceededBy(DiskUsage use) {
        return isTooLittleFor(use) || use.uncounted() > 0;
    }
}
