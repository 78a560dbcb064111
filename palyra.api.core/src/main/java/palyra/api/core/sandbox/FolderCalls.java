package palyra.api.core.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Opens folders so that others can be made and removed in them, which the JDK does by path only: a
 * path may lead elsewhere a moment after it was looked at. Thread-safe.
 */
@ProviderType
public interface FolderCalls {
    /**
     * Opens a folder, name by name from the root on. No name may be a symbolic link.
     *
     * <p>An open folder stays open when this service goes; its opener closes it.
     *
     * @param folder absolute, without {@code .} and {@code ..}
     * @throws java.nio.file.NoSuchFileException when a name is missing
     * @throws java.nio.file.NotDirectoryException when a name is a link, or no folder
     * @throws IOException when the system refuses, see {@link HeldFolder}
     * @throws palyra.api.PalyraException INVALID_ARGUMENT for another kind of path,
     *     TOOL_UNAVAILABLE when the C library cannot be called
     */
    HeldFolder open(Path folder) throws IOException;
}
