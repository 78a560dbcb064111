package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.shared.confine.Refusals;

/**
 * Empty files and folders that stand where protected paths do not exist: a mount needs something
 * below it. Commands in one workspace share them; the last one takes them away, which would undo
 * the mounts of the others. Thread-safe.
 */
final class Placeholders {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Integer> holders = new HashMap<>(); // guarded by lock

    /** Returns whether a path is such a placeholder now. */
    boolean isOne(Path path) {
        lock.lock();
        try {
            return holders.containsKey(path);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes sure that something is there.
     *
     * @param folder whether a folder is made, or a file
     * @return whether it is a placeholder, to be released
     */
    boolean hold(Path path, boolean folder) {
        lock.lock();
        try {
            if (holders.computeIfPresent(path, (key, count) -> count + 1) != null) {
                return true;
            }
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            make(path, folder);
            holders.put(path, 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static void make(Path path, boolean folder) {
        try {
            if (folder) {
                Files.createDirectory(path);
            } else {
                Files.createFile(path);
            }
        } catch (FileAlreadyExistsException e) {
            throw Refusals.unavailable(
                    "The protected path " + path + " appeared while it was looked at.",
                    "Try again.");
        } catch (IOException e) {
            throw Refusals.unavailable(
                    "The protected path " + path + " cannot be protected: " + e.getMessage() + ".",
                    "Let the gateway's user write the workspace.");
        }
    }

    /** Gives one holding back; the last one removes what is still empty. */
    void release(Path path) {
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
            removeEmpty(path);
        } finally {
            lock.unlock();
        }
    }

    private static void removeEmpty(Path path) {
        try {
            Path parent = path.getParent();
            boolean same = parent != null && parent.toRealPath().equals(parent);
            boolean file = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
            boolean folder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
            if (same && (folder || (file && Files.size(path) == 0))) {
                Files.delete(path); // a folder only when it is empty
            }
        } catch (IOException e) {
            // somebody put something there: it stays
        }
    }
}
