package palyra.health.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that the file modes in the state folder are those that the gateway set, and restores them.
 * Another process of the same user can change modes without being able to read the files.
 *
 * <p>The way to the command socket may be opened to a group, or to users that an ACL names, of
 * which the mode shows the mask: the socket asks the kernel who is at the other end.
 *
 * <p>The folder itself is 0700. An entry of it, or of one of its folders, must keep the mode with
 * which it was first seen; a replaced file counts as new. Links are not followed. Not thread-safe.
 */
final class StateModes {
    private static final String PRIVATE = "rwx------";
    private static final int MOST = 10_000;

    private static final Map<String, String> PASSABLE =
            Map.of(PRIVATE, "rwx--x---", "rw-------", "rw-rw----");

    private final Path folder;
    private final Set<Path> way;
    private final int ownUid;
    private Map<Path, Known> known = new HashMap<>();

    private record Known(Object file, String mode) {}

    /**
     * A mode that was changed from outside.
     *
     * @param found mode that was found, such as {@code rwxr-xr-x}
     * @param wanted mode that it should have
     * @param problem why it could not be restored; empty when it was
     */
    record Change(Path path, String found, String wanted, String problem) {}

    StateModes(Path folder, int ownUid) {
        this.folder = folder;
        Path run = folder.resolve("run");
        this.way = Set.of(folder, run, run.resolve("command.sock"));
        this.ownUid = ownUid;
    }

    /** Checks and repairs once; returns the changed modes. */
    List<Change> check() throws IOException {
        List<Change> changes = new ArrayList<>();
        require(folder, PRIVATE, changes);
        Map<Path, Known> seen = new HashMap<>();
        for (Path entry : entries(folder)) {
            compare(entry, seen, changes);
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                checkFolder(entry, seen, changes);
            }
        }
        known = seen;
        return changes;
    }

    /** Skips a folder of another user that the gateway cannot read. */
    private void checkFolder(Path entry, Map<Path, Known> seen, List<Change> changes)
            throws IOException {
        List<Path> entries;
        try {
            entries = entries(entry);
        } catch (AccessDeniedException e) {
            return;
        }
        for (Path inner : entries) {
            compare(inner, seen, changes);
        }
    }

    private static List<Path> entries(Path of) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(of)) {
            for (Path each : stream) {
                if (found.size() == MOST) {
                    break;
                }
                found.add(each);
            }
        } catch (NoSuchFileException e) {
            return List.of(); // it has gone meanwhile
        }
        return found;
    }

    private void compare(Path entry, Map<Path, Known> seen, List<Change> changes)
            throws IOException {
        Map<String, Object> now = attributes(entry);
        if (now.isEmpty() || (Integer) now.get("uid") != ownUid || isLink(now)) {
            return;
        }
        Known before = known.get(entry);
        if (before == null || !before.file().equals(now.get("ino"))) {
            before = new Known(now.get("ino"), mode(now));
        }
        seen.put(entry, before);
        require(entry, before.mode(), changes);
    }

    private static Map<String, Object> attributes(Path entry) throws IOException {
        try {
            return Files.readAttributes(
                    entry, "unix:uid,ino,permissions,isSymbolicLink", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return Map.of();
        }
    }

    private static boolean isLink(Map<String, Object> attributes) {
        return Boolean.TRUE.equals(attributes.get("isSymbolicLink"));
    }

    @SuppressWarnings("unchecked")
    private static String mode(Map<String, Object> attributes) {
        return PosixFilePermissions.toString(
                (Set<PosixFilePermission>) attributes.get("permissions"));
    }

    private void require(Path path, String wanted, List<Change> changes) throws IOException {
        Map<String, Object> now = attributes(path);
        if (now.isEmpty() || mode(now).equals(wanted)) {
            return;
        }
        if (way.contains(path) && mode(now).equals(PASSABLE.get(wanted))) {
            return;
        }
        String problem = "";
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(wanted));
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            problem = e.getClass().getSimpleName() + ": " + e.getMessage();
        }
        changes.add(new Change(path, mode(now), wanted, problem));
    }
}
