package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.shared.hash.Digests;

/**
 * A helper program of sandboxes, as it was when it was examined. Thread-safe.
 *
 * <p>Checking again is cheap: while inode, size and times stay, the content counts as unchanged;
 * when one changed, the digest decides.
 */
final class HelperProgram {
    private static final String STAMP = "unix:ino,dev,size,lastModifiedTime,ctime,mode,uid";

    private final Path path;
    private final String sha256;
    private volatile Map<String, Object> stamp;

    private HelperProgram(Path path, String sha256, Map<String, Object> stamp) {
        this.path = path;
        this.sha256 = sha256;
        this.stamp = stamp;
    }

    /** Examines the first of some places where there is an executable file. */
    static Optional<HelperProgram> find(List<Path> places) {
        for (Path place : places) {
            if (Files.isRegularFile(place) && Files.isExecutable(place)) {
                Optional<HelperProgram> found = examine(place);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns a program as it is now; one that cannot be read counts as absent. */
    private static Optional<HelperProgram> examine(Path place) {
        try {
            Path real = place.toRealPath();
            Map<String, Object> stamp = stamp(real);
            return Optional.of(new HelperProgram(real, digest(real), stamp));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Path path() {
        return path;
    }

    String sha256() {
        return sha256;
    }

    /** Returns whether others than its owner may write it. */
    boolean writableByOthers() {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            return permissions.contains(PosixFilePermission.OTHERS_WRITE)
                    || permissions.contains(PosixFilePermission.GROUP_WRITE);
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether it is still the same program. */
    boolean unchanged() {
        try {
            Map<String, Object> now = stamp(path);
            if (now.equals(stamp)) {
                return true;
            }
            if (digest(path).equals(sha256) && Files.isExecutable(path)) {
                stamp = now;
                return true;
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, Object> stamp(Path path) throws IOException {
        return Map.copyOf(Files.readAttributes(path, STAMP));
    }

    private static String digest(Path path) throws IOException {
        return Digests.sha256Hex(Files.readAllBytes(path));
    }
}
