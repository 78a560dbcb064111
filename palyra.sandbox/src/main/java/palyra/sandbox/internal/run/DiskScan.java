package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import palyra.shared.files.ClosedEntries;

/**
 * Counts what a folder holds, a bounded number of entries at a time. What comes or goes meanwhile
 * may be missed; it follows no links. What cannot be looked at is counted as such, for its owner
 * may go on filling it. Used by one thread.
 */
final class DiskScan implements AutoCloseable {
    /** Folders that wait to be counted: a bound of memory. */
    private static final int MOST_PENDING = 50_000;

    private static final int LONGEST_NAME = 200;

    private final Path root;
    private final Optional<Path> scratch;
    private final Opening opening;
    private final Deque<Path> pending = new ArrayDeque<>();
    private DirectoryStream<Path> open; // null between two folders
    private Iterator<Path> entries;
    private boolean inScratch;
    private Path reading; // the folder that is open
    private long bytes;
    private long files;
    private long scratchBytes;
    private long uncounted;
    private String unread = "";

    /** Opens a folder. */
    interface Opening {
        DirectoryStream<Path> open(Path folder) throws IOException;
    }

    /**
     * Begins.
     *
     * @param scratch folder for temporary files within {@code root}, which need not exist
     */
    DiskScan(Path root, Optional<Path> scratch) {
        this(root, scratch, Files::newDirectoryStream);
    }

    /** As above; a test has its own idea of what can be opened. */
    DiskScan(Path root, Optional<Path> scratch, Opening opening) {
        this.root = root;
        this.scratch = scratch;
        this.opening = opening;
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

    /** Opens the next folder that can be opened; returns false when none is left. */
    private boolean next() {
        while (!pending.isEmpty()) {
            Path folder = pending.removeLast();
            inScratch = scratch.filter(folder::startsWith).isPresent();
            try {
                if (!Files.isSymbolicLink(folder)) {
                    reading = folder;
                    open = opened(folder);
                    entries = open.iterator();
                    return true;
                }
            } catch (IOException e) {
                missed(folder, e);
            }
        }
        return false;
    }

    /** What a command closed to its own user is opened again, so that it can be counted. */
    private DirectoryStream<Path> opened(Path folder) throws IOException {
        try {
            return opening.open(folder);
        } catch (AccessDeniedException e) {
            if (ClosedEntries.openFolder(folder)) {
                throw e;
            }
            return opening.open(folder);
        }
    }

    private int entry() {
        Path entry = null;
        try {
            if (!entries.hasNext()) {
                close();
                return 0;
            }
            entry = entries.next();
            BasicFileAttributes found =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            files++;
            if (!found.isDirectory()) {
                bytes += found.size();
                scratchBytes += inScratch ? found.size() : 0;
            } else if (pending.size() < MOST_PENDING) {
                pending.addLast(entry);
            } else {
                uncounted(entry);
            }
        } catch (IOException e) {
            missed(entry, e);
        } catch (DirectoryIteratorException e) {
            if (!isGone(e.getCause())) { // it may be removed while it is read
                uncounted(reading);
            }
            close();
        }
        return 1;
    }

    /** What has gone meanwhile, or is another thing now, is nothing that was missed. */
    private void missed(Path path, IOException why) {
        if (!isGone(why) && (isOwn(path) || Files.isWritable(path))) {
            uncounted(path);
        }
    }

    private void uncounted(Path path) {
        if (uncounted++ == 0) {
            String name = root.relativize(path).toString().replaceAll("\\p{Cntrl}", "?");
            unread = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "…" : name;
        }
    }

    private static boolean isGone(IOException why) {
        return why instanceof NoSuchFileException || why instanceof NotDirectoryException;
    }

    /** What another user keeps there and closed is not the command's to fill; in doubt it is. */
    private boolean isOwn(Path path) {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(root));
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /** Returns what was counted so far. */
    DiskUsage use() {
        return new DiskUsage(bytes, files, scratchBytes, uncounted, unread);
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
