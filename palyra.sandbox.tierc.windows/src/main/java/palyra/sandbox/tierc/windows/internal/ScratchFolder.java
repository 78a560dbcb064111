package palyra.sandbox.tierc.windows.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.FileTree;

/** A command's own temporary folder. Closing removes it; links in it are not followed. */
final class ScratchFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);

    private final Path path;

    private ScratchFolder(Path path) {
        this.path = path;
    }

    /** Makes one; TOOL_UNAVAILABLE when that cannot be. */
    static ScratchFolder make() {
        try {
            return new ScratchFolder(Files.createTempDirectory("palyra-run-").toRealPath());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "No temporary folder can be made for a command; make room for one.",
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
