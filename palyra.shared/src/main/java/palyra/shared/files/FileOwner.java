package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user whose files are trusted, beside root.
 *
 * @param uid numeric user id
 */
public record FileOwner(long uid) {
    private static final long ROOT = 0;
    private static final int GROUP_OR_OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;
    private static final Pattern UID_LINE = // real, effective, saved, file system
            Pattern.compile("Uid:\\s+\\d+\\s+(\\d+)\\s.*");

    /**
     * Returns the user that this process runs as.
     *
     * @throws IOException where the system does not tell
     */
    public static FileOwner ofThisProcess() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .map(UID_LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new FileOwner(Long.parseLong(line.group(1))))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status names no user id"));
    }

    /** Returns what speaks against a file or folder that only this user may write to. */
    Optional<String> objection(Path path) throws IOException {
        long owner = owner(path);
        if (owner != uid && owner != ROOT) {
            return Optional.of(
                    "it belongs to user id "
                            + owner
                            + " and not to the gateway's user ("
                            + uid
                            + ") or root");
        }
        return (mode(path) & GROUP_OR_OTHERS_WRITE) == 0
                ? Optional.empty()
                : Optional.of("others than its owner may write to it");
    }

    /** In a sticky folder only the owner of an entry may rename it, even if others may write. */
    Optional<String> parentObjection(Path folder) throws IOException {
        long owner = owner(folder);
        if (owner != uid && owner != ROOT) {
            return Optional.of("it belongs to user id " + owner + ", who could exchange it");
        }
        int mode = mode(folder);
        boolean exchangeable = (mode & GROUP_OR_OTHERS_WRITE) != 0 && (mode & STICKY) == 0;
        return exchangeable
                ? Optional.of("other users than its owner could replace its content")
                : Optional.empty();
    }

    private static long owner(Path path) throws IOException {
        Object uid = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return Integer.toUnsignedLong((Integer) uid);
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }
}
