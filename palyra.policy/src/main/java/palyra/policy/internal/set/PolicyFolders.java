package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.MediumFailure;

/**
 * Where policies lie and how long is waited for them.
 *
 * @param shipped folder that comes with the product
 * @param own the operator's folder
 * @param store folder of the sets that were in force
 * @param settleMillis how long files must have been left alone before they are read
 * @param pollMillis how often is looked where the system does not tell of changes
 * @param graceMillis how long a start waits for the native engine before the last good set must do
 */
public record PolicyFolders(
        Path shipped, Path own, Path store, long settleMillis, long pollMillis, long graceMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFolders.class);
    private static final long SETTLE_MILLIS = 300;
    private static final long POLL_MILLIS = 1_000;
    private static final long GRACE_MILLIS = 5_000;

    /** Returns the places of an installation. */
    public static PolicyFolders of(Path home, Path state) {
        return new PolicyFolders(
                home.toAbsolutePath().normalize().resolve("policies"),
                state.toAbsolutePath().normalize().resolve("policies"),
                state.toAbsolutePath().normalize().resolve("policy"),
                SETTLE_MILLIS,
                POLL_MILLIS,
                GRACE_MILLIS);
    }

    /** Creates the operator's folder if it is absent. */
    void makeOwn() {
        if (Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.createDirectories(
                    own,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            LOG.error("The policy folder could not be made: {}", MediumFailure.sentence(e, own));
        }
    }
}
