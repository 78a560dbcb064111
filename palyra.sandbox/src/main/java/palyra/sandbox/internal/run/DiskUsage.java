package palyra.sandbox.internal.run;

/**
 * What a workspace holds.
 *
 * @param bytes sizes of all its files together; a file with two names counts twice
 * @param files number of its files, folders and links
 * @param scratchBytes those of {@code bytes} that are in the call's own folder for temporary files
 * @param uncounted folders and files that could not be looked at: their owner, the command, closed
 *     them, nested them too deep, or made too many
 * @param unread one of these, relative to the workspace; empty for none
 */
record DiskUsage(long bytes, long files, long scratchBytes, long uncounted, String unread) {
    static final DiskUsage NONE = new DiskUsage(0, 0, 0, 0, "");

    /** Returns the same with more bytes and files. */
    DiskUsage and(long moreBytes, long moreFiles) {
        return new DiskUsage(bytes + moreBytes, files + moreFiles, scratchBytes, uncounted, unread);
    }

    /** Says what could not be counted and what to do about it; only where there is something. */
    String sentenceOfUnread() {
        return "'"
                + unread
                + "' "
                + (uncounted == 1 ? "" : "and " + (uncounted - 1) + " others ")
                + "cannot be read, so what the workspace holds cannot be counted. Make it readable"
                + " for its owner (chmod u+rwX), or remove it.";
    }

    boolean isMoreThan(DiskUsage other) {
        return bytes > other.bytes || files > other.files || uncounted > other.uncounted;
    }
}
