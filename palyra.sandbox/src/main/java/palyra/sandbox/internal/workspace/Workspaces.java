package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.sandbox.internal.output.OutputFiles;

/**
 * The folder that each agent works in: {@code root/<agent id>} unless another is configured.
 * Returned folders are real paths that belong to the gateway's user, that no other user can write
 * to or exchange, and that do not overlap the gateway's own folders. Checked at every call.
 * Thread-safe.
 */
public final class Workspaces {
    private static final Pattern AGENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private final Path root;
    private final Map<String, Path> byAgent;
    private final GatewayFolders gateway;
    private final MountTable mounts;

    /**
     * Creates; nothing is looked at yet.
     *
     * @param root folder of the workspaces, absolute; made with its first workspace
     * @param byAgent folders of agents that have another one, absolute; they must exist
     * @param gatewayFolders folders that the gateway keeps for itself
     */
    public Workspaces(Path root, Map<String, Path> byAgent, List<Path> gatewayFolders) {
        this(root, byAgent, gatewayFolders, Path.of("/proc/self/mountinfo"));
    }

    Workspaces(Path root, Map<String, Path> byAgent, List<Path> gatewayFolders, Path mountInfo) {
        this.root = absolute(root, "the folder of the workspaces");
        this.byAgent = Map.copyOf(byAgent);
        this.byAgent.forEach((agent, at) -> absolute(at, "the workspace of agent " + agent));
        this.gateway =
                new GatewayFolders(
                        Stream.concat(
                                        gatewayFolders.stream(),
                                        Stream.of(this.root.resolve(OutputFiles.FOLDER)))
                                .toList());
        this.mounts = new MountTable(mountInfo);
    }

    private static Path absolute(Path path, String what) {
        Require.that(
                path != null && path.isAbsolute(), what + " is " + path + ": use an absolute path");
        return path.normalize();
    }

    /**
     * Returns the real path of an agent's workspace. One below the root is made, for its owner
     * alone, when it is missing.
     *
     * @throws PalyraException INVALID_ARGUMENT for an agent id that is no file name, NOT_FOUND for
     *     a configured folder that is not there, DENIED for a folder that must not be a workspace
     */
    public Path of(String agentId) {
        Require.that(
                agentId != null && AGENT.matcher(agentId).matches(),
                "agent id '"
                        + shown(agentId)
                        + "' names no workspace: letters, digits, '.', '_'"
                        + " and '-' only, at most 128, the first a letter or digit");
        Path configured = byAgent.get(agentId);
        Path folder = configured == null ? root.resolve(agentId) : configured;
        try {
            Path real = configured == null ? below(folder) : existing(folder, agentId);
            objection(real).ifPresent(why -> refuse(real, why));
            return real;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The workspace "
                            + folder
                            + " of agent "
                            + agentId
                            + " cannot be used: "
                            + e.getClass().getSimpleName()
                            + " at "
                            + e.getMessage()
                            + "; make it a folder of the gateway's user.",
                    e);
        }
    }

    /** Returns the folder with the output of an agent's commands, which need not exist. */
    public Path outputs(String agentId) {
        try {
            return OutputFiles.of(root.toRealPath(), agentId);
        } catch (IOException e) {
            return OutputFiles.of(root, agentId); // nothing was made in it yet
        }
    }

    private static String shown(String text) {
        return text == null || text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    private Path below(Path folder) throws IOException {
        PosixOwnerOnly.makeFolders(root);
        Path real = root.toRealPath().resolve(folder.getFileName());
        gateway.objection(real).ifPresent(why -> refuse(real, why)); // before anything is made
        if (!Files.exists(real, LinkOption.NOFOLLOW_LINKS)) {
            PosixOwnerOnly.makeFolders(real);
        }
        if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
            refuse(
                    real,
                    Files.isSymbolicLink(real)
                            ? "it is a symbolic link"
                            : "it is not a" + " folder");
        }
        FolderOwner.reopen(real);
        return real;
    }

    private static Path existing(Path folder, String agentId) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The workspace "
                            + folder
                            + " that is configured for agent "
                            + agentId
                            + " does not exist or is not a folder; create it, or configure"
                            + " another.");
        }
        return folder.toRealPath();
    }

    private Optional<String> objection(Path real) throws IOException {
        Optional<String> found = gateway.objection(real);
        if (found.isEmpty()) {
            found = FolderOwner.objection(real);
        }
        Set<String> options = found.isEmpty() ? mounts.optionsOf(real) : Set.of();
        if (options.contains("noexec")) {
            return Optional.of("its file system is mounted noexec, so nothing in it can run");
        }
        return options.contains("ro") ? Optional.of("its file system is mounted read-only") : found;
    }

    private static void refuse(Path folder, String why) {
        throw new PalyraException(
                ErrorCode.DENIED,
                "The folder "
                        + folder
                        + " cannot be a workspace: "
                        + why
                        + "; configure a folder of the gateway's user that is used for nothing"
                        + " else.");
    }

    /** Makes a folder for its owner alone, where the system knows owners, unless it is there. */
    static void makePrivate(Path folder) throws IOException {
        PosixOwnerOnly.makeFolders(folder);
    }

    /** Folders for their owner alone, where the system knows owners. */
    private static final class PosixOwnerOnly {
        static void makeFolders(Path folder) throws IOException {
            if (Files.isDirectory(folder)) {
                return;
            }
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectories(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectories(folder);
            }
        }
    }
}
