package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

/**
 * Reads the state of a workspace without opening its files. A file is identified by inode, mode,
 * size and the time of its last change (ctime), which no unprivileged process can set back: a
 * change of content or a replaced file changes the fingerprint. Times of change have the kernel's
 * granularity of a few milliseconds, so a file that changed within the last {@link
 * #SETTLING_MILLIS} is looked at again until it is older (the "racily clean" problem of git's
 * index); one that keeps changing gets a fingerprint that equals no other. Where the system tells
 * no such times, contents are read. Folders count by name, inode and mode; links are not followed.
 * Thread-safe.
 */
final class WorkspaceReader {
    /** How old a change has to be before a later one is sure to have another time. */
    static final long SETTLING_MILLIS = 20;

    private static final int LOOKS = 3;
    private static final int TYPE_BITS = 0170000;
    private static final int FOLDER = 0040000;

    private static final long MOST_CONTENT_BYTES = 256L << 20;

    private final int mostEntries;
    private final long mostMillis;

    /**
     * Creates one.
     *
     * @param mostEntries most files and folders of a workspace that can be read
     * @param mostMillis longest time that reading may take
     */
    WorkspaceReader(int mostEntries, long mostMillis) {
        this.mostEntries = mostEntries;
        this.mostMillis = mostMillis;
    }

    /**
     * Reads.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when there are too many files or it takes too
     *     long, DENIED when a folder or file cannot be read
     */
    WorkspaceManifest read(Path workspace) {
        boolean unix = workspace.getFileSystem().supportedFileAttributeViews().contains("unix");
        return new Reading(workspace, unix).manifest();
    }

    /** One reading; used by one thread. */
    private final class Reading {
        private final Path workspace;
        private final boolean unix;
        private final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        private final SortedMap<String, String> found = new TreeMap<>();
        private long contentBytes;

        Reading(Path workspace, boolean unix) {
            this.workspace = workspace;
            this.unix = unix;
        }

        WorkspaceManifest manifest() {
            try {
                folder(workspace);
            } catch (IOException | DirectoryIteratorException e) {
                throw new PalyraException(
                        ErrorCode.DENIED,
                        "The workspace could not be read ("
                                + e
                                + "), so no approval can be bound to its content; make all files"
                                + " readable for their owner.",
                        e);
            }
            return WorkspaceManifest.of(found);
        }

        private void folder(Path folder) throws IOException {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                for (Path entry : entries) {
                    requireWithinBounds();
                    if (entry(entry)) {
                        folder(entry);
                    }
                }
            } catch (NoSuchFileException e) {
                found.put(name(folder), gone()); // it went while it was read
            }
        }

        private void requireWithinBounds() {
            if (found.size() >= mostEntries) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The workspace holds more than "
                                + mostEntries
                                + " files and folders, so no approval can be bound to its"
                                + " content; remove some, or let the operator raise"
                                + " approvalMaxFiles.");
            }
            if (System.nanoTime() >= deadline) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "Reading the state of the workspace took longer than "
                                + mostMillis
                                + " ms ("
                                + found.size()
                                + " files and folders so far); try again, or make it smaller.");
            }
        }

        /** Notes an entry; returns whether it is a folder. */
        private boolean entry(Path entry) throws IOException {
            try {
                return unix ? byChange(entry) : byContent(entry);
            } catch (NoSuchFileException e) {
                found.put(name(entry), gone());
                return false;
            }
        }

        private boolean byChange(Path entry) throws IOException {
            Map<String, Object> now = attributes(entry);
            int mode = (Integer) now.get("mode");
            String identity = Integer.toOctalString(mode) + " " + now.get("ino");
            if ((mode & TYPE_BITS) == FOLDER) {
                found.put(name(entry), identity);
                return true;
            }
            for (int look = 1; isFresh(now) && look <= LOOKS; look++) {
                settle();
                now = attributes(entry);
            }
            found.put(
                    name(entry),
                    isFresh(now)
                            ? gone()
                            : Integer.toOctalString((Integer) now.get("mode"))
                                    + " "
                                    + now.get("ino")
                                    + " "
                                    + now.get("size")
                                    + " "
                                    + ((FileTime) now.get("ctime")).to(TimeUnit.NANOSECONDS));
            return false;
        }

        private static Map<String, Object> attributes(Path entry) throws IOException {
            return Files.readAttributes(
                    entry, "unix:mode,ino,size,ctime", LinkOption.NOFOLLOW_LINKS);
        }

        private static boolean isFresh(Map<String, Object> attributes) {
            long age = System.currentTimeMillis() - ((FileTime) attributes.get("ctime")).toMillis();
            return age >= 0 && age < SETTLING_MILLIS;
        }

        private static void settle() throws IOException {
            try {
                TimeUnit.MILLISECONDS.sleep(SETTLING_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for a changed file");
            }
        }

        private boolean byContent(Path entry) throws IOException {
            BasicFileAttributes now =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (now.isDirectory()) {
                found.put(name(entry), "folder");
                return true;
            }
            if (now.isSymbolicLink()) {
                found.put(name(entry), "link " + Files.readSymbolicLink(entry));
                return false;
            }
            contentBytes += now.size();
            if (contentBytes > MOST_CONTENT_BYTES) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The workspace holds more than "
                                + MOST_CONTENT_BYTES
                                + " bytes, and this system tells changes only by reading them;"
                                + " make it smaller.");
            }
            found.put(name(entry), "file " + Digests.sha256Hex(Files.readAllBytes(entry)));
            return false;
        }

        private String name(Path path) {
            return workspace.relativize(path).toString();
        }

        /** What equals no other state. */
        private String gone() {
            return "unstable " + UUID.randomUUID();
        }
    }
}
