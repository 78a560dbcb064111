package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Empty files and folders in place of protected paths that do not exist, because a mount needs a
 * mount point. bubblewrap makes them inside of the sandbox, where no link leads out of the
 * workspace. Commands in one workspace share them; the last one removes them, because removal would
 * undo the mounts of the others. Thread-safe.
 */
final class Placeholders {
    private static final Set<PosixFilePermission> MADE =
            PosixFilePermissions.fromString("r--r--r--");

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Integer> holders = new HashMap<>(); // guarded by lock

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
     * Holds a placeholder; starts one where the path does not exist or was left behind.
     *
     * @return whether it is a placeholder, to be released
     */
    boolean hold(Path path) {
        lock.lock();
        try {
            if (holders.computeIfPresent(path, (key, count) -> count + 1) != null) {
                return true;
            }
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isLeftBehind(path)) {
                return false;
            }
            holders.put(path, 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether a killed gateway left the path behind: bubblewrap makes files without write
     * permission. An empty folder may be the user's own and stays.
     */
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
            workspaceFiles.remove(path);
        } finally {
            lock.unlock();
        }
    }
}
