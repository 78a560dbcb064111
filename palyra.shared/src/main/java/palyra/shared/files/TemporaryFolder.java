package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A command's own folder for temporary files, below the JVM's and, where the file system has modes,
 * for its owner only. Closing removes it with its content; links in it are not followed.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFolder.class);

    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /**
     * Makes one.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when none can be made, with the place
     */
    public static TemporaryFolder make() {
        try {
            return new TemporaryFolder(Files.createTempDirectory("palyra-run-").toRealPath());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "No temporary folder can be made for a command in "
                            + System.getProperty("java.io.tmpdir")
                            + "; make room there.",
                    e);
        }
    }

    /**
     * Makes one in {@code below}.
     *
     * @throws PalyraException DISK_FULL or TOOL_UNAVAILABLE when none can be made, with the place
     */
    public static TemporaryFolder in(Path below) {
        try {
            return new TemporaryFolder(Files.createTempDirectory(below, "palyra-").toRealPath());
        } catch (IOException e) {
            throw new PalyraException(
                    MediumFailure.of(e, below) == MediumFailure.NO_SPACE
                            ? ErrorCode.DISK_FULL
                            : ErrorCode.TOOL_UNAVAILABLE,
                    MediumFailure.sentence(e, below),
                    e);
        }
    }

    /** Returns its real path. */
    public Path path() {
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
