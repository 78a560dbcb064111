package palyra.examples.append.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * The folder of the files. A line is on the disk when {@link #append} returns. Links are never
 * followed, and no name can lead out of the folder. Thread-safe.
 */
final class AppendFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<? extends OpenOption> APPEND =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND,
                    LinkOption.NOFOLLOW_LINKS);

    private final Path folder;
    private final long maxFileBytes;
    private final ReentrantLock lock = new ReentrantLock(); // one append at a time

    AppendFolder(Path folder, long maxFileBytes) {
        Require.that(
                folder.isAbsolute(),
                "palyra.examples.append: folder is '" + folder + "'; use an absolute path");
        this.folder = folder.normalize();
        this.maxFileBytes = maxFileBytes;
    }

    /** Appends a line and its end, durably; returns the size of the file in bytes. */
    long append(String file, byte[] lineWithEnd) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            create();
            Path path = folder.resolve(file);
            boolean isNew = Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
            long size = write(path, lineWithEnd);
            if (isNew) {
                sync(folder);
            }
            return size;
        } finally {
            lock.unlock();
        }
    }

    private void create() throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.getParent());
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            sync(folder.getParent());
        }
        boolean sound =
                Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && OWNER_ONLY.equals(
                                Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
        if (!sound) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The folder of the append tool is a link, no folder, or open to others; the"
                            + " operator should make it a folder with mode 0700.");
        }
    }

    private long write(Path path, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, APPEND, OWNER_FILE)) {
            if (channel.size() + bytes.length > maxFileBytes) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "File "
                                + path.getFileName()
                                + " has "
                                + channel.size()
                                + " bytes, and at most "
                                + maxFileBytes
                                + " are allowed; use another file.");
            }
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
            return channel.size();
        }
    }

    /** A new name is safe only when its folder is on the disk, too. */
    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
