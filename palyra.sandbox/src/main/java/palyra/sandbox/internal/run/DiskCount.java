package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * Counts what a folder holds, a bounded number of entries at a time. What comes or goes meanwhile
 * may be missed; it follows no links. Used by one thread.
 */
final class DiskCount implements AutoCloseable {
    private final Optional<Path> scratch;
    private final Deque<Path> pending = new ArrayDeque<>();
    private DirectoryStream<Path> open; // null between two folders
    private Iterator<Path> entries;
    private boolean inScratch;
    private long bytes;
    private long files;
    private long scratchBytes;

    /**
     * Begins.
     *
     * @param scratch folder for temporary files within {@code root}, which need not exist
     */
    DiskCount(Path root, Optional<Path> scratch) {
        this.scratch = scratch;
        pending.add(root);
    }

    /** Goes on for so many entries; returns whether everything was counted. */
    boolean step(int most) {
        for (int left = most; left > 0; ) {
            if (open == null && !next()) {
                return true;
            }
            if (open != null) {
                left -= entry();
            }
        }
        return open == null && pending.isEmpty();
    }

    /** Opens the next folder that can be opened; returns false when there is none. */
    private boolean next() {
        while (!pending.isEmpty()) {
            Path folder = pending.removeLast();
            inScratch = scratch.filter(folder::startsWith).isPresent();
            try {
                if (!Files.isSymbolicLink(folder)) {
                    open = Files.newDirectoryStream(folder);
                    entries = open.iterator();
                    return true;
                }
            } catch (IOException e) {
                continue; // it has gone, or was closed to us: what is in it cannot grow unseen for
                // long, because its owner is the command
            }
        }
        return false;
    }

    private int entry() {
        try {
            if (!entries.hasNext()) {
                close();
                return 0;
            }
            Path entry = entries.next();
            BasicFileAttributes found =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            files++;
            if (found.isDirectory()) {
                pending.addLast(entry);
            } else {
                bytes += found.size();
                scratchBytes += inScratch ? found.size() : 0;
            }
        } catch (IOException e) {
            return 1; // it has gone meanwhile
        } catch (DirectoryIteratorException e) {
            close();
        }
        return 1;
    }

    /** Returns what was counted so far. */
    DiskUse use() {
        return new DiskUse(bytes, files, scratchBytes);
    }

    @Override
    public void close() {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // nothing is lost with it
        }
        open = null;
    }
}
