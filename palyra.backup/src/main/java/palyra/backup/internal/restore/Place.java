package palyra.backup.internal.restore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Where a state folder is to be restored. Immutable. */
final class Place {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4; // field of a line

    private final Path state;

    Place(Path state) {
        this.state = state;
    }

    /**
     * Refuses folders that are others' own.
     *
     * @throws PalyraException CONFLICT within an installation or within another state folder
     */
    void requireOwn() {
        for (Path at = state.getParent(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("lib/palyra.launcher.jar"))) {
                throw within("the installation " + at + ", which an upgrade replaces");
            }
            if (Files.exists(at.resolve("journal/journal.db"))) {
                throw within("the state folder " + at + " of another gateway");
            }
        }
    }

    private PalyraException within(String what) {
        return new PalyraException(
                ErrorCode.CONFLICT,
                "The state folder "
                        + state
                        + " would be within "
                        + what
                        + "; name another by PALYRA_STATE.");
    }

    /** Returns whether something is mounted on it, from another file system or from the same. */
    boolean isMountPoint() throws IOException {
        Path real = state.toRealPath();
        Path parent = real.getParent();
        if (parent == null
                || !Files.getAttribute(real, "unix:dev")
                        .equals(Files.getAttribute(parent, "unix:dev"))) {
            return true;
        }
        if (!Files.isReadable(MOUNTS)) {
            return false; // not Linux
        }
        try (Stream<String> lines = Files.lines(MOUNTS)) {
            return lines.map(line -> line.split(" "))
                    .anyMatch(
                            fields ->
                                    fields.length > MOUNT_POINT
                                            && fields[MOUNT_POINT].equals(escaped(real)));
        }
    }

    /** The kernel writes what would end a field or a line as octal numbers. */
    private static String escaped(Path path) {
        return path.toString()
                .replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }

    /** Makes the folders above it, and returns those that were not there, the lowest first. */
    Deque<Path> makeParents() throws IOException {
        Deque<Path> made = new ArrayDeque<>();
        for (Path at = state.getParent(); at != null && Files.notExists(at); at = at.getParent()) {
            made.addLast(at);
        }
        Files.createDirectories(state.getParent());
        return made;
    }

    /** Removes folders that are empty. */
    static void remove(Deque<Path> folders) {
        try {
            for (Path folder : folders) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            // A user put something in it by now; it stays, and so do those above it.
        }
    }
}
