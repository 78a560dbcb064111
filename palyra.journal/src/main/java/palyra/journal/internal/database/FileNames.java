package palyra.journal.internal.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes sure that a database has one name. By a second one another process could open it without
 * meeting the lock or the write-ahead log, which lie beside the first.
 */
public final class FileNames {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    private FileNames() {}

    /** Throws unless the file, given by its real path, has no other name. */
    static void requireOne(Path real) throws DatabaseLock.Held, IOException {
        int links = links(real);
        if (links > 1) {
            throw new DatabaseLock.Held(
                    "The journal's database "
                            + real
                            + " has "
                            + links
                            + " names (hard links), by which several processes could use it at"
                            + " once; remove the others (find -samefile shows them).");
        }
        if (Files.isReadable(MOUNTS) && isMountPoint(Files.readAllLines(MOUNTS), real)) {
            throw new DatabaseLock.Held(
                    "The journal's database "
                            + real
                            + " is mounted there as a single file, without what belongs beside it;"
                            + " mount the whole journal folder instead.");
        }
    }

    private static int links(Path real) throws IOException {
        try {
            return (Integer) Files.getAttribute(real, "unix:nlink");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return 1; // this file system does not count them
        }
    }

    /** Returns whether one of the lines of {@code mountinfo} mounts something at that very path. */
    public static boolean isMountPoint(List<String> mounts, Path real) {
        String path = real.toString();
        return mounts.stream()
                .map(line -> line.split(" "))
                .anyMatch(f -> f.length > MOUNT_POINT && plain(f[MOUNT_POINT]).equals(path));
    }

    /** The kernel writes space, tab, line feed and backslash in octal. */
    private static String plain(String escaped) {
        return escaped.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
