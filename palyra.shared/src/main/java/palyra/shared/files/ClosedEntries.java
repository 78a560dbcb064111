package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Files and folders of this user that are closed to it, as a command can leave them: what looks
 * through them would see nothing where others, root among them, see all. Stateless.
 */
public final class ClosedEntries {
    private static final int FOLDER = 0700;
    private static final int FILE = 0400;
    private static final int MODE = 07777;

    private ClosedEntries() {}

    /**
     * Lets this user list, enter and change a folder of its own, if its mode does not.
     *
     * @return whether it is closed still; false for what is not there or belongs to others
     */
    public static boolean openFolder(Path folder) {
        return open(folder, FOLDER);
    }

    /** The same for reading a file. */
    public static boolean openFile(Path file) {
        return open(file, FILE);
    }

    /** Returns whether something is there and belongs to this user, as far as can be told. */
    public static boolean isOwn(Path entry) {
        try {
            return !entry.getFileSystem().supportedFileAttributeViews().contains("unix")
                    ? Files.exists(entry, LinkOption.NOFOLLOW_LINKS)
                    : number(entry, "uid") == FileOwner.ofThisProcess().uid();
        } catch (IOException e) {
            return Files.exists(entry, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static boolean open(Path entry, int bits) {
        if (!entry.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return false;
        }
        try {
            int mode = (int) number(entry, "mode") & MODE;
            if ((mode & bits) == bits || Files.isSymbolicLink(entry) || !isOwn(entry)) {
                return false;
            }
            // Without following links it would open the entry, which is closed.
            Files.setAttribute(entry, "unix:mode", mode | bits);
            return false;
        } catch (IOException e) {
            return Files.exists(entry, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static long number(Path path, String attribute) throws IOException {
        Object value = Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
        return ((Number) value).longValue();
    }
}
