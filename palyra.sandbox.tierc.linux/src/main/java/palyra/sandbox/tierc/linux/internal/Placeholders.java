package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Empty files and folders that stand where protected paths do not exist: a mount needs something
 * below it. bubblewrap makes them, inside of the sandbox, where no link leads out of the workspace.
 * Commands in one workspace share them; the last one takes them away, which would undo the mounts
 * of the others. Thread-safe.
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
     * Takes part in a placeholder, or begins one where nothing is.
     *
     * @return whether it is a placeholder, to be released
     */
    boolean hold(Path path) {
        lock.lock();
        try {
            if (holders.computeIfPresent(path, (key, count) -> count + 1) != null) {
                return true;
            }
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            holders.put(path, 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives one holding back; the last one removes what is still empty. */
    void release(Path path, Leftovers leftovers) {
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
            leftovers.remove(path);
        } finally {
            lock.unlock();
        }
    }
}
