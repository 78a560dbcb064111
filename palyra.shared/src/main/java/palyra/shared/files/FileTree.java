package palyra.shared.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Removal of a folder with everything in it. It goes by path, so that it is for folders which no
 * other process may write meanwhile; a workspace is emptied by descriptor, which the sandbox does.
 */
public final class FileTree {
    private FileTree() {}

    /**
     * Removes a file, a link, or a folder with everything in it. Links are removed and not
     * followed. A missing file is no error. A folder that its owner may not read, write or enter is
     * made so.
     *
     * @throws IOException at the first thing that cannot be removed; what came before it is gone
     */
    public static void remove(Path path) throws IOException {
        Files.walkFileTree(path, new Removal());
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        private static final Set<PosixFilePermission> OWNERS =
                PosixFilePermissions.fromString("rwx------");

        private Path opened; // made accessible, and tried once more

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                throws IOException {
            if (!Files.isWritable(folder) || !Files.isExecutable(folder)) {
                open(folder);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
            if (problem instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            if (!(problem instanceof AccessDeniedException)
                    || file.equals(opened)
                    || !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                throw problem;
            }
            opened = file;
            open(file);
            Files.walkFileTree(file, this);
            return FileVisitResult.CONTINUE;
        }

        private static void open(Path folder) throws IOException {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(folder, OWNERS);
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException problem)
                throws IOException {
            if (problem != null) {
                throw problem;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
