package palyra.sandbox.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.shared.hash.Digests;

/** A file as it was found, or as it is to become. */
final class FileState {
    /** Largest file that a patch may change. */
    static final int MAX_BYTES = 8 * 1_024 * 1_024;

    /** Permissions of a new file. */
    static final Set<PosixFilePermission> NEW = PosixFilePermissions.fromString("rw-r--r--");

    private static final int BUFFER_BYTES = 64 * 1_024;

    private final byte[] content;
    private final Set<PosixFilePermission> mode;

    /** Takes the bytes, which the caller must not change afterwards, and the permissions. */
    FileState(byte[] content, Set<PosixFilePermission> mode) {
        this.content = content;
        this.mode = Set.copyOf(mode);
    }

    byte[] content() {
        return content;
    }

    Set<PosixFilePermission> mode() {
        return mode;
    }

    /** Reads a file; empty when nothing is there. */
    static Optional<FileState> read(OpenFolder folder, BeneathPath path)
            throws IOException, FileRefusal {
        return read(folder, path, MAX_BYTES);
    }

    /** Reads a file of at most so many bytes; empty when nothing is there. */
    static Optional<FileState> read(OpenFolder folder, BeneathPath path, int maxBytes)
            throws IOException, FileRefusal {
        Optional<PosixFileAttributes> found = folder.attributes(path.name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (found.get().size() > maxBytes) {
            throw tooLarge(path, maxBytes);
        }
        try (SeekableByteChannel file = folder.read(path.name(), path)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (file.read(buffer.clear()) >= 0) {
                bytes.write(buffer.array(), 0, buffer.position());
                if (bytes.size() > maxBytes) {
                    throw tooLarge(path, maxBytes);
                }
            }
            return Optional.of(new FileState(bytes.toByteArray(), found.get().permissions()));
        }
    }

    private static FileRefusal tooLarge(BeneathPath path, int maxBytes) {
        return new FileRefusal(
                FileRefusal.KIND,
                "'"
                        + FileRefusal.shown(path.toString())
                        + "' is larger than "
                        + maxBytes
                        + " bytes, which file tools do not change; use a command.");
    }

    /** Digest of the content, lower-case hex. */
    String sha256() {
        return Digests.sha256Hex(content);
    }

    /**
     * Refuses a file with several hard links: a write by one name would change the file under
     * another that may be outside of the workspace. The count of names is only to be had by path;
     * it counts when the path led to the very file that the open folder has.
     */
    static void requireOneName(Path workspace, OpenFolder folder, BeneathPath path)
            throws IOException, FileRefusal {
        Optional<PosixFileAttributes> found = folder.attributes(path.name());
        if (found.isEmpty()) {
            return;
        }
        Map<String, Object> seen =
                Files.readAttributes(
                        path.under(workspace), "unix:nlink,fileKey", LinkOption.NOFOLLOW_LINKS);
        boolean same = found.get().fileKey().equals(seen.get("fileKey"));
        if (!same || ((Number) seen.get("nlink")).longValue() > 1) {
            throw new FileRefusal(
                    FileRefusal.LINK,
                    "'"
                            + FileRefusal.shown(path.toString())
                            + (same
                                    ? "' has several names (hard links); copy it, and change the"
                                            + " copy."
                                    : "' was exchanged meanwhile; try again."));
        }
    }
}
