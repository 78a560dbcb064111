package palyra.sandbox.posix.internal.folder;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import palyra.sandbox.posix.internal.libc.Errno;

/** Errors of the system as the exceptions of {@code java.nio.file}, with the error's name. */
final class FolderErrors {
    private FolderErrors() {}

    /** Returns what to throw. */
    static FileSystemException of(int errno, boolean linux, Path path) {
        String name = Errno.name(errno, linux);
        String file = path.toString();
        return switch (name) {
            case "ENOENT" -> new NoSuchFileException(file, null, name);
            case "EEXIST" -> new FileAlreadyExistsException(file, null, name);
            case "EACCES" -> new AccessDeniedException(file, null, name);
            case "ENOTDIR", "ELOOP" -> new NotDirectoryException(file + ": " + name);
            case "ENOTEMPTY" -> new DirectoryNotEmptyException(file + ": " + name);
            default -> new FileSystemException(file, null, name);
        };
    }
}
