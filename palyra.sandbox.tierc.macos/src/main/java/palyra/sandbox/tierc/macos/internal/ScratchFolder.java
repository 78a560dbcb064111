package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.FileTree;

/**
 * A command's own temporary folder, mode 0700. Closing removes it; links in it are not followed.
 */
final class ScratchFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);

    private final Path path;

    private ScratchFolder(Path path) {
        this.path = path;
    }

    /** Makes one below the JVM's temporary folder; TOOL_UNAVAILABLE when that cannot be. */
    static ScratchFolder make() {
        try {
            Path made =
                    Files.createTempDirectory(
                            "palyra-run-",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
            return new ScratchFolder(made.toRealPath());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "No temporary folder can be made for a command in "
                            + System.getProperty("java.io.tmpdir")
                            + "; make room there.",
                    e);
        }
    }

    /** Returns its real path. */
    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            FileTree.remove(path);
        } catch (IOException e) {
            LOG.warn("The temporary folder {} of a command could not be removed.", path, e);
        }
    }
}
