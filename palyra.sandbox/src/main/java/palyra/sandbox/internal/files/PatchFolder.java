package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/**
 * Where a patch is got ready: a folder at the top of the workspace, so that files move from it to
 * their places within one file system.
 */
final class PatchFolder {
    /** How the names of such folders begin. */
    static final String PREFIX = ".palyra-patch-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private PatchFolder() {}

    /** Whether a path is one, or in one. */
    static boolean isOne(BeneathPath path) {
        return !path.isRoot() && path.names().get(0).startsWith(PREFIX);
    }

    /** Makes one, for its owner alone, and returns its name. */
    static String make(PatchWorkspace ground) throws IOException {
        String name = PREFIX + Long.toHexString(RANDOM.nextLong());
        ground.make(new BeneathPath(List.of(name)), PosixFilePermissions.fromString("rwx------"));
        return name;
    }

    /** Writes a new file and returns when its bytes are on the medium. */
    static void write(OpenFolder folder, String name, byte[] content, Set<PosixFilePermission> mode)
            throws IOException {
        try (SeekableByteChannel file = folder.create(name, mode)) {
            for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
                file.write(rest);
            }
            force(file);
        }
    }

    /** Returns when the entries of a folder are on the medium. */
    static void sync(OpenFolder folder) throws IOException {
        try (SeekableByteChannel self = folder.self()) {
            force(self);
        }
    }

    private static void force(SeekableByteChannel channel) throws IOException {
        if (channel instanceof FileChannel file) {
            file.force(true);
        }
    }
}
