package palyra.deploy.internal;

import java.nio.file.Path;
import java.util.List;
import palyra.api.PalyraException;
import palyra.shared.files.DropInFolder;

/**
 * Validated settings.
 *
 * @param active whether the folder is watched
 * @param why why it is not watched; empty when it is
 * @param faulty whether it is enabled but misconfigured
 * @param folder absolute
 * @param own whether it is inside the state folder, so that the gateway may create it
 * @param pins lines as configured
 * @param maxFileBytes largest jar
 * @param startTimeoutMillis how long a bundle may take to start
 */
record DeploySettings(
        boolean active,
        String why,
        boolean faulty,
        Path folder,
        boolean own,
        List<String> pins,
        long maxFileBytes,
        long startTimeoutMillis) {
    private static final long EXPANSION = 8;

    DeploySettings {
        pins = List.copyOf(pins);
    }

    /**
     * Checks a configuration.
     *
     * @param safeMode whether the gateway runs in safe mode
     */
    static DeploySettings of(DeployConfiguration configuration, Path state, boolean safeMode) {
        Path folder = state.resolve(DropInFolder.DEFAULT_FOLDER);
        String why = "";
        try {
            folder = DropInFolder.folder(state, configuration.folder());
        } catch (PalyraException e) {
            why = e.getMessage();
        }
        boolean faulty = !why.isEmpty() && configuration.enabled();
        if (safeMode) {
            why = "The gateway was started with --safe.";
        }
        if (!configuration.enabled()) {
            why = "It is not enabled.";
        }
        return new DeploySettings(
                why.isEmpty(),
                why,
                faulty,
                folder,
                folder.startsWith(state),
                List.of(configuration.pins()),
                configuration.maxFileBytes(),
                configuration.startTimeoutMillis());
    }

    /** Returns how many bytes a jar may unpack to. */
    long maxExpandedBytes() {
        return maxFileBytes * EXPANSION;
    }
}
