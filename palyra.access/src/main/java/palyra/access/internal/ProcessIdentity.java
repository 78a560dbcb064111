package palyra.access.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;
import palyra.api.core.access.Credential;

/**
 * The user that this process runs as.
 *
 * @param uid effective user id; -1 when the system does not tell
 * @param user user name
 */
record ProcessIdentity(long uid, String user) {
    private static final Path SELF = Path.of("/proc/self");
    private static final Pattern UID_LINE = // real, effective, saved, file system
            Pattern.compile("Uid:\\s+\\d+\\s+(\\d+)\\s.*");

    ProcessIdentity {
        Require.text(user, "user name");
    }

    static ProcessIdentity ofThisProcess() {
        try {
            long uid =
                    Files.readAllLines(SELF.resolve("status")).stream()
                            .map(UID_LINE::matcher)
                            .filter(Matcher::matches)
                            .mapToLong(line -> Long.parseLong(line.group(1)))
                            .findFirst()
                            .orElse(-1);
            return new ProcessIdentity(uid, Files.getOwner(SELF).getName());
        } catch (IOException e) {
            return new ProcessIdentity(-1, System.getProperty("user.name"));
        }
    }

    /** Compares numbers where both sides have one, else names. */
    boolean is(Credential.LocalPeer peer) {
        boolean bothNumbered = uid >= 0 && peer.uid() >= 0;
        return bothNumbered ? uid == peer.uid() : user.equals(peer.user());
    }

    /**
     * Returns the credential id of the owner's own local connections. No other credential gets an
     * id of this form.
     */
    String credentialId() {
        return "local-peer:" + (uid >= 0 ? Long.toString(uid) : user);
    }
}
