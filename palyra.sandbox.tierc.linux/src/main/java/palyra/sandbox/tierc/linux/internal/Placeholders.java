package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.files.ClosedEntries;

/**
 * Empty folders in place of protected paths that do not exist, because a mount needs a mount point.
 * git records no empty folder, so what is committed meanwhile does not have them. bubblewrap makes
 * them inside of the sandbox, where no link leads out of the workspace. Commands in one workspace
 * share them; the last one removes them, because removal would undo the mounts of the others.
 *
 * <p>Which there may be now is recorded in a file first, so that those of a killed gateway are
 * removed when the next one starts. The record is not flushed: after a loss of power an empty
 * folder may stay. Thread-safe.
 */
final class Placeholders {
    private static final Logger LOG = LoggerFactory.getLogger(Placeholders.class);
    private static final int LONGEST_RECORD = 16 << 20;

    /** Earlier versions left empty files behind, which bubblewrap makes without permission. */
    private static final Set<PosixFilePermission> MADE =
            PosixFilePermissions.fromString("r--r--r--");

    private volatile Optional<Path> record;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Integer> holders = new HashMap<>(); // guarded by lock
    private boolean stays; // guarded by lock: one could not be removed, so the record stays

    /** Creates it without a record. */
    Placeholders() {
        this(Optional.empty());
    }

    /**
     * @param record file with those that there may be; absent means that those of a killed process
     *     stay
     */
    Placeholders(Optional<Path> record) {
        this.record = record;
    }

    /** Records in a file from now on; before the first is held. */
    void recordIn(Path file) {
        record = Optional.of(file);
    }

    /** Removes what a killed gateway left behind: folders that are recorded, and still empty. */
    void removeLeftovers() {
        lock.lock();
        try {
            for (String line : recorded()) {
                removeLeftover(line);
            }
            clear();
        } finally {
            lock.unlock();
        }
    }

    private void removeLeftover(String line) {
        int at = Math.max(0, line.indexOf('\0'));
        try {
            Path workspace = Path.of(line.substring(0, at));
            Path path = Path.of(line.substring(at + 1));
            if (!holders.containsKey(path)
                    && path.startsWith(workspace)
                    && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                new WorkspaceFiles(FolderIdentity.of(workspace.toString())).remove(path);
            }
        } catch (InvalidPathException | PalyraException e) {
            LOG.warn("A placeholder of the record cannot be removed: {}", e.getMessage());
        }
    }

    private List<String> recorded() {
        if (record.isEmpty()) {
            return List.of();
        }
        try {
            if (Files.size(record.get()) > LONGEST_RECORD) {
                LOG.warn("The record of placeholders {} is too long to be read", record.get());
                return List.of();
            }
            return Files.readString(record.get()).lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.warn("The record of placeholders {} cannot be read", record.get(), e);
            return List.of();
        }
    }

    /** Returns whether a path is such a placeholder now. */
    boolean isPlaceholder(Path path) {
        lock.lock();
        try {
            return holders.containsKey(path);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Holds a placeholder; starts one where the path does not exist, or is a file that an earlier
     * version left behind.
     *
     * @return whether it is a placeholder, to be released
     * @throws IOException when it cannot be recorded; then none is held
     */
    boolean hold(Path path, WorkspaceFiles workspaceFiles) throws IOException {
        lock.lock();
        try {
            if (holders.computeIfPresent(path, (key, count) -> count + 1) != null) {
                return true;
            }
            if (isLeftBehind(path)) {
                workspaceFiles.remove(path);
            }
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            note(workspaceFiles.workspace().path(), path);
            holders.put(path, 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether an earlier version left a file behind that was empty and had no writer. */
    private static boolean isLeftBehind(Path path) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    && (found.size() == 0
                            ? Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                                    .equals(MADE)
                            : WorkspaceFiles.isItself(path, found.size()));
        } catch (IOException e) {
            return false; // it stays
        }
    }

    private void note(Path workspace, Path path) throws IOException {
        if (record.isPresent()) {
            String line = workspace + "\0" + path + "\n";
            try (FileChannel file =
                    FileChannel.open(
                            record.get(),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.APPEND)) {
                file.write(StandardCharsets.UTF_8.encode(line));
            }
        }
    }

    private void clear() {
        try {
            if (record.isPresent()) {
                Files.deleteIfExists(record.get());
            }
        } catch (IOException e) {
            LOG.warn("The record of placeholders {} cannot be removed", record.get(), e);
        }
    }

    /** Releases one hold; the last one removes the placeholder if it is still empty. */
    void release(Path path, WorkspaceFiles workspaceFiles) {
        lock.lock();
        try {
            Integer count = holders.get(path);
            if (count == null) {
                return;
            }
            if (count > 1) {
                holders.put(path, count - 1);
                return;
            }
            holders.remove(path);
            boolean closed =
                    ClosedEntries.openFolder(workspaceFiles.workspace().path())
                            | ClosedEntries.openFolder(path.getParent());
            workspaceFiles.remove(path);
            stays |= closed;
            if (holders.isEmpty() && !stays) {
                clear();
            }
        } finally {
            lock.unlock();
        }
    }
}
