package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

/**
 * The program {@code sandbox-exec}, sandbox-exec(1). Always by its absolute path: a search path is
 * no place to find a guard.
 */
final class SandboxExec {
    /** Where macOS has it. */
    static final Path SYSTEM = Path.of("/usr/bin/sandbox-exec");

    private final Path path;
    private final String owner;

    /** Creates one whose file belongs to root, as that of the system does. */
    SandboxExec(Path path) {
        this(path, "root");
    }

    SandboxExec(Path path, String owner) {
        this.path = path;
        this.owner = owner;
    }

    /** Returns its path. */
    Path path() {
        return path;
    }

    /**
     * Returns the SHA-256 of the program, in hex.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when it is missing, or users other than its owner
     *     can change it
     */
    String identity() {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(path.toRealPath(), PosixFileAttributes.class);
            if (!attributes.isRegularFile()
                    || !attributes.owner().getName().equals(owner)
                    || attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
                    || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                    || !attributes.permissions().contains(PosixFilePermission.OTHERS_EXECUTE)) {
                throw unavailable(
                        path
                                + " must be a program of "
                                + owner
                                + " that only its owner can change.",
                        null);
            }
            return Digests.sha256Hex(Files.readAllBytes(path));
        } catch (IOException e) {
            throw unavailable("This host has no " + path + ", which only macOS brings.", e);
        }
    }

    private static PalyraException unavailable(String message, Throwable cause) {
        return new PalyraException(ErrorCode.TOOL_UNAVAILABLE, message, cause);
    }
}
