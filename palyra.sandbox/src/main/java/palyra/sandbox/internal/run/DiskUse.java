package palyra.sandbox.internal.run;

/**
 * What a workspace holds.
 *
 * @param bytes sizes of all its files together; a file with two names counts twice
 * @param files number of its files, folders and links
 * @param scratchBytes those of {@code bytes} that are in the call's own folder for temporary files
 */
record DiskUse(long bytes, long files, long scratchBytes) {
    boolean isMoreThan(DiskUse other) {
        return bytes > other.bytes || files > other.files;
    }
}
