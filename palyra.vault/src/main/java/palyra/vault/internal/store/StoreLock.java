package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Keeps other processes out of a vault's folder; the kernel gives it back when this one dies. */
public final class StoreLock implements AutoCloseable {
    private final FileChannel channel;

    private StoreLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock; KEYS_UNAVAILABLE while another process has it. */
    public static StoreLock take(Path folder) throws IOException {
        Path file = folder.resolve("lock");
        FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // an earlier version of this bundle has it still
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The vault in "
                            + folder
                            + " is open in another process, and only one may change it; stop that"
                            + " one.");
        }
        return new StoreLock(channel);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The kernel has it back in any case.
        }
    }
}
