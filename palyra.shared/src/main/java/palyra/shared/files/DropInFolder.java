package palyra.shared.files;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Path and configuration of the drop-in folder. Two bundles read it: one takes bundles out of it,
 * the other configurations.
 */
public final class DropInFolder {
    /** PID of the drop-in folder. */
    public static final String PID = "palyra.deploy";

    /** Key of the switch. */
    public static final String ENABLED = "enabled";

    /** Key of the folder. */
    public static final String FOLDER = "folder";

    /** The folder unless configured, in the state folder. */
    public static final String DEFAULT_FOLDER = "deploy";

    /** Folder in the state folder with the operator's files as they were last in force. */
    public static final String LAST_GOOD = "conf-in-force";

    /** The gateway's own entries in the state folder. */
    private static final Set<String> TAKEN =
            Set.of(
                    "break-glass.log",
                    "bootstrap-token",
                    "cache",
                    "cache-aot",
                    "conf",
                    LAST_GOOD,
                    "deployed",
                    "home",
                    "journal",
                    "keys",
                    "lock",
                    "logs",
                    "policies",
                    "policy",
                    "run",
                    "swap",
                    "tmp",
                    "vault");

    private DropInFolder() {}

    /**
     * Returns the folder, absolute.
     *
     * @param state the state folder
     * @param configured as configured; relative to the state folder; blank for the default
     * @throws PalyraException INVALID_ARGUMENT when it would be a place of the gateway's own
     */
    public static Path folder(Path state, String configured) {
        Path home = state.toAbsolutePath().normalize();
        Path folder = resolve(home, configured.isBlank() ? DEFAULT_FOLDER : configured.strip());
        boolean taken =
                home.startsWith(folder)
                        || (folder.startsWith(home)
                                && TAKEN.contains(home.relativize(folder).getName(0).toString()));
        if (taken) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The drop-in folder "
                            + folder
                            + " is a place that the gateway keeps for itself; choose another.");
        }
        return folder;
    }

    private static Path resolve(Path home, String configured) {
        try {
            return home.resolve(configured).normalize();
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The drop-in folder '" + configured + "' is not a path.",
                    e);
        }
    }
}
