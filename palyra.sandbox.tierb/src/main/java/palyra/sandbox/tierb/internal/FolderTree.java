package palyra.sandbox.tierb.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.concurrent.TimeUnit;

/**
 * Removes a folder and all that is in it, each entry relative to the open folder that it is in, see
 * openat(2): no link is followed, even when entries are replaced meanwhile. Stops at an entry that
 * it may not read, below 64 folders, and when its time is up.
 */
final class FolderTree {
    private static final int DEEPEST = 64; // each level holds a descriptor

    private final long deadline;

    private FolderTree(long deadline) {
        this.deadline = deadline;
    }

    /** Removes a folder of an open folder; returns whether all of it is gone. */
    static boolean remove(Path open, String name, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(open)) {
            if (stream instanceof SecureDirectoryStream<Path> folder) {
                new FolderTree(deadline).remove(folder, Path.of(name), 0);
                return true;
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return false; // the caller removes it by other means, or counts it as left
        }
    }

    private void remove(SecureDirectoryStream<Path> parent, Path name, int depth)
            throws IOException {
        if (depth > DEEPEST || System.nanoTime() - deadline > 0) {
            throw new IOException("too deep or too slow");
        }
        try (SecureDirectoryStream<Path> folder =
                parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path entry : folder) {
                Path one = entry.getFileName();
                if (isFolder(folder, one)) {
                    remove(folder, one, depth + 1);
                } else {
                    folder.deleteFile(one);
                }
            }
        }
        parent.deleteDirectory(name);
    }

    private static boolean isFolder(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        return folder.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }
}
