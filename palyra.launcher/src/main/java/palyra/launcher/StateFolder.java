package palyra.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * The state folder, which holds all durable data of the gateway: mode 0700, checked before the
 * first write, never inside an installation or a build folder.
 */
final class StateFolder {
    /** The sun_path of a Unix-domain socket holds 108 bytes with its terminating zero. */
    private static final int SOCKET_PATH_LIMIT = 107;

    /** The bundle cache of the framework. */
    static final String CACHE = "cache";

    static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final List<String> SUBFOLDERS = List.of("run", "conf", "tmp", "logs", CACHE);

    private final Path path;

    private StateFolder(Path path) {
        this.path = path;
    }

    /** Makes or checks the folder; it is safe to lock afterwards. */
    static StateFolder open(Path wanted, Path home, int ownUid) throws LaunchException {
        refuseUnsafePlace(wanted, home);
        try {
            Files.createDirectories(wanted.getParent());
            if (!Files.exists(wanted, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(wanted, PRIVATE);
            }
            Path real = wanted.toRealPath();
            refuseUnsafePlace(real, home.toRealPath());
            refuseForeignOwner(real, ownUid);
            refuseReplaceable(real);
            Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
            return new StateFolder(real);
        } catch (IOException e) {
            throw MediumProblem.or(
                    ExitCode.USAGE,
                    "the state folder "
                            + wanted
                            + " cannot be used: "
                            + Problems.sentence(e)
                            + "; choose another with PALYRA_STATE",
                    wanted,
                    e);
        }
    }

    Path path() {
        return path;
    }

    Path sub(String name) {
        return path.resolve(name);
    }

    Path commandSocket() {
        return commandSocket(path);
    }

    static Path commandSocket(Path state) {
        return state.resolve("run").resolve("command.sock");
    }

    /** Call only while holding the lock: leftovers of a dead gateway are removed here. */
    void prepare() throws LaunchException {
        try {
            for (String name : SUBFOLDERS) {
                Path folder = sub(name);
                if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(folder, PRIVATE);
                }
            }
            removeStale(sub("run"), "*.sock");
            removeStale(sub("tmp"), "sqlite-*");
        } catch (IOException e) {
            throw MediumProblem.or(
                    ExitCode.USAGE,
                    "the state folder " + path + " cannot be prepared: " + Problems.sentence(e),
                    path,
                    e);
        }
    }

    private static void removeStale(Path folder, String glob) throws IOException {
        try (DirectoryStream<Path> stale = Files.newDirectoryStream(folder, glob)) {
            for (Path file : stale) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void refuseUnsafePlace(Path state, Path home) throws LaunchException {
        if (state.startsWith(home)) {
            throw refused(state, "it is inside the installation folder " + home);
        }
        for (Path at = state; at != null; at = at.getParent()) {
            boolean isTarget =
                    at.getFileName() != null && at.getFileName().toString().equals("target");
            if (isTarget && Files.exists(at.resolveSibling("pom.xml"))) {
                throw refused(
                        state,
                        "it is inside the build folder " + at + ", which a clean build deletes");
            }
        }
        int length = commandSocket(state).toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > SOCKET_PATH_LIMIT) {
            throw refused(
                    state,
                    "the path of its command socket would have "
                            + length
                            + " bytes and the system allows "
                            + SOCKET_PATH_LIMIT);
        }
    }

    private static void refuseForeignOwner(Path state, int ownUid)
            throws IOException, LaunchException {
        int owner = (Integer) Files.getAttribute(state, "unix:uid");
        if (owner != ownUid) {
            throw refused(
                    state, "it belongs to user id " + owner + " and the gateway runs as " + ownUid);
        }
    }

    /**
     * Users with write access to a parent folder without the sticky bit could replace the state
     * folder.
     */
    private static void refuseReplaceable(Path state) throws IOException, LaunchException {
        for (Path at = state.getParent(); at != null; at = at.getParent()) {
            int mode = (Integer) Files.getAttribute(at, "unix:mode");
            boolean othersWrite = (mode & 0002) != 0;
            boolean sticky = (mode & 01000) != 0;
            if (othersWrite && !sticky) {
                throw refused(state, "every user may rename entries of " + at);
            }
        }
    }

    private static LaunchException refused(Path state, String why) {
        return new LaunchException(
                ExitCode.USAGE,
                "the state folder "
                        + state
                        + " is refused: "
                        + why
                        + "; choose another with PALYRA_STATE");
    }
}
