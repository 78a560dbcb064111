package palyra.api.core.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A folder that is held open: files are created and removed in this very folder, wherever becomes
 * of its path meanwhile, see openat(2), mkdirat(2) and unlinkat(2). Links are never followed. Names
 * are single names: one with a slash, {@code ..}, or an empty one is INVALID_ARGUMENT.
 *
 * <p>When the system refuses, the message of the exception ends with the name of the error, such as
 * {@code ENOSPC}. It is a {@code NoSuchFileException} for ENOENT, a {@code
 * FileAlreadyExistsException} for EEXIST, an {@code AccessDeniedException} for EACCES, a {@code
 * NotDirectoryException} for ENOTDIR and ELOOP, a {@code DirectoryNotEmptyException} for ENOTEMPTY,
 * and a plain {@code FileSystemException} for all others. Thread-safe; after {@link #close} every
 * call fails with EBADF.
 */
@ProviderType
public interface HeldFolder extends AutoCloseable {
    /** Returns the path by which it was opened, which may lead elsewhere now. */
    Path path();

    /**
     * Returns a path that leads this process to this very folder as long as it is open; empty where
     * the system has none.
     */
    Optional<Path> current();

    /**
     * Opens a folder in this one, to be closed apart from it.
     *
     * @param name a single name; {@code .} for this folder again
     */
    HeldFolder open(String name) throws IOException;

    /**
     * Makes a folder; nothing may be at its name, not even a link.
     *
     * @param permissions what the folder permits, less what the umask of this process takes
     */
    void make(String name, Set<PosixFilePermission> permissions) throws IOException;

    /** Removes an empty folder. */
    void removeFolder(String name) throws IOException;

    /** Removes an entry that is not a folder, such as a symbolic link itself. */
    void removeFile(String name) throws IOException;

    /** Closes it; the second time nothing happens. */
    @Override
    void close();
}
