package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Set;

/** Which modes files of TLS may have. Where the file system has no modes, all is well. */
final class TlsModes {
    private static final Set<PosixFilePermission> SECRET =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> PUBLIC =
            PosixFilePermissions.fromString("rwxr-xr-x");

    private TlsModes() {}

    /**
     * Throws when others could read the private key, or change what proves who is who.
     *
     * @param secret whether the file holds the private key
     * @throws GeneralSecurityException why and what to do, for the end of a sentence
     */
    static void require(Path file, boolean secret) throws IOException, GeneralSecurityException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> mode = view.readAttributes().permissions();
        Set<PosixFilePermission> loose = new HashSet<>(mode);
        loose.removeAll(secret ? SECRET : PUBLIC);
        if (isGroupOfRoot(file)) {
            loose.remove(PosixFilePermission.GROUP_READ);
        }
        loose.remove(PosixFilePermission.GROUP_EXECUTE);
        loose.remove(PosixFilePermission.OTHERS_EXECUTE);
        if (!loose.isEmpty()) {
            throw new GeneralSecurityException(
                    "its mode is "
                            + PosixFilePermissions.toString(mode)
                            + ", so that other users of this machine may "
                            + (secret ? "read or change the private key" : "change it")
                            + "; run chmod "
                            + (secret ? "600 " : "644 ")
                            + file);
        }
    }

    private static boolean isGroupOfRoot(Path file) throws IOException {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(file, "unix:gid"));
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
