package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.FileTree;

/**
 * Folders for the sockets of proxies, each of mode 0700 with a short name, because the path of a
 * socket has at most 103 bytes (unix(4) of macOS; Linux takes 107). What an earlier gateway left is
 * removed at the start.
 */
final class SocketFolders {
    /** Name of the socket in its folder. */
    static final String SOCKET = "e.sock";

    private static final Logger LOG = LoggerFactory.getLogger(SocketFolders.class);
    private static final int LONGEST_PATH = 103;
    private static final int NAME_BYTES = 5;
    private static final int TRIES = 8;

    private final Path root;
    private final SecureRandom random = new SecureRandom();

    SocketFolders(Path stateFolder) {
        root = stateFolder.toAbsolutePath().normalize().resolve("run").resolve("e");
    }

    /** Returns whether socket paths fit. */
    boolean fits() {
        return bytes(root.resolve("0".repeat(2 * NAME_BYTES))) <= LONGEST_PATH;
    }

    private static int bytes(Path folder) {
        return folder.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Makes a folder. TOOL_UNAVAILABLE when it cannot be made. */
    Path make() {
        if (!fits()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The socket of the proxy below "
                            + root
                            + " would have a path longer than 103 bytes; move the state folder to"
                            + " a shorter path.");
        }
        try {
            Files.createDirectories(root, owners(root));
            for (int i = 0; i < TRIES; i++) {
                byte[] name = new byte[NAME_BYTES];
                random.nextBytes(name);
                Path folder = root.resolve(HexFormat.of().formatHex(name));
                try {
                    return Files.createDirectory(folder, owners(folder));
                } catch (FileAlreadyExistsException e) {
                    LOG.debug("The folder {} exists.", folder);
                }
            }
            throw new IOException("no free name was found");
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The proxy cannot create a folder for its socket below "
                            + root
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static FileAttribute<?>[] owners(Path path) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Removes the sockets of an earlier process. */
    void sweep() {
        if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            remove(root);
        }
    }

    /** Removes a folder with its content; links are removed, not followed. */
    static void remove(Path folder) {
        try {
            FileTree.remove(folder);
        } catch (IOException e) {
            LOG.warn("The folder {} could not be removed; the next start tries again.", folder, e);
        }
    }
}
