package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileTrust;

/** Checks the file modes of TLS files; accepts all on file systems without modes. */
final class TlsModes {
    private static final Set<PosixFilePermission> SECRET =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> PUBLIC =
            PosixFilePermissions.fromString("rwxr-xr-x");

    private static final Path OWN_STATUS = Path.of("/proc/self/status");

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

    /**
     * Throws when another user could put a file in place of this one: it and the folders above have
     * to be root's or the gateway's. Where the system does not tell its user, nothing is asked.
     */
    static void requireOwn(Path file) throws IOException, GeneralSecurityException {
        if (!Files.isReadable(OWN_STATUS) || !Files.isRegularFile(file)) {
            return; // a path that is not a file is refused when it is read
        }
        FileOwner owner = FileOwner.ofThisProcess();
        Path real = file.toRealPath();
        Optional<String> objection = FileTrust.strictObjection(real, owner);
        if (objection.isEmpty()) {
            objection = FileTrust.strictFolderObjection(real.getParent(), owner);
        }
        if (objection.isPresent()) {
            throw new GeneralSecurityException(
                    objection.get()
                            + "; keep it, and the folders above it, root's or the gateway's user's,"
                            + " and writable for no other user");
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
