package palyra.shell.internal.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Credential;

/** Turns the operating system's names of users into credentials. Thread-safe. */
public final class LocalPeers {
    private static final Path ACCOUNTS = Path.of("/etc/passwd");
    private static final int NAME = 0;
    private static final int UID = 2;

    private final UserPrincipal self;
    private final long selfUid;

    private LocalPeers(UserPrincipal self, long selfUid) {
        this.self = self;
        this.selfUid = selfUid;
    }

    /**
     * Finds out as whom this process runs, by making a file: the file system's word, unlike an
     * environment variable's, cannot be set from outside.
     *
     * @param folder folder in which it may make and delete a file
     */
    public static LocalPeers of(Path folder) {
        try {
            Path probe = Files.createTempFile(folder, ".owner", "");
            try {
                long uid = uidOf(probe);
                return new LocalPeers(Files.getOwner(probe), uid);
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.READ_ONLY,
                    "The folder "
                            + folder
                            + " takes no files ("
                            + e.getMessage()
                            + "); make it writable for the gateway's user.",
                    e);
        }
    }

    private static long uidOf(Path file) throws IOException {
        try {
            return ((Number) Files.getAttribute(file, "unix:uid")).longValue();
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return -1;
        }
    }

    /** Returns the credential of this process itself. */
    public Credential.LocalPeer self() {
        return new Credential.LocalPeer(self.getName(), selfUid);
    }

    /** Returns the credential of a user at the other end of a local socket. */
    public Credential.LocalPeer peer(UserPrincipal user) {
        return user.equals(self)
                ? self()
                : new Credential.LocalPeer(user.getName(), uidOf(user.getName()));
    }

    private static long uidOf(String name) {
        if (name.matches("[0-9]{1,10}")) {
            return Long.parseLong(name);
        }
        try {
            List<String> lines = Files.readAllLines(ACCOUNTS);
            for (String line : lines) {
                String[] fields = line.split(":", -1);
                if (fields.length > UID && fields[NAME].equals(name)) {
                    return Long.parseLong(fields[UID]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
        return -1;
    }
}
