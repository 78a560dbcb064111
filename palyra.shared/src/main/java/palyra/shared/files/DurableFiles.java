package palyra.shared.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Steps by which files change so that a crash at any moment leaves the old state or the new one.
 * Files and folders it makes are for their owner alone. A subclass may fail between the steps.
 */
public class DurableFiles {
    /** Makes a folder, and those above it that are missing. */
    public void makeFolder(Path folder) throws IOException {
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Writes a file that must not exist yet, and returns when its bytes are on the medium. */
    public void writeNew(Path file, byte[] content) throws IOException {
        try (FileChannel out = create(file)) {
            for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
                out.write(rest);
            }
            force(out);
        }
    }

    /** Returns when what was written to a file is on the medium. */
    public void force(FileChannel file) throws IOException {
        file.force(true);
    }

    /** Makes a file that must not exist yet, to be written and forced out by the caller. */
    public FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** Renames a file or folder in one step; a file there is replaced. */
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns when what was made, renamed or deleted in a folder is on the medium. */
    public void sync(Path folder) throws IOException {
        try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Deletes a file, or a folder with everything in it; links are not followed. */
    public void delete(Path path) throws IOException {
        FileTree.remove(path);
    }
}
