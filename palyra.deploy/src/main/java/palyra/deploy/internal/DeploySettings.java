package palyra.deploy.internal;

import java.nio.file.Path;
import java.util.List;
import palyra.api.PalyraException;
import palyra.shared.files.DropPlace;

/**
 * Checked settings.
 *
 * @param active whether the folder is watched
 * @param why in a few words, why it is not watched; empty when it is
 * @param faulty whether it should be watched and cannot be as configured
 * @param folder absolute
 * @param own whether it lies in the state folder, so that we may make it
 * @param pins lines as configured
 * @param maxFileBytes largest jar
 * @param startTimeoutMillis how long a bundle may take to come up
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
     * @param safeMode whether the gateway was started for repair
     */
    static DeploySettings of(DeployConfiguration configuration, Path state, boolean safeMode) {
        Path folder = state.resolve(DropPlace.DEFAULT_FOLDER);
        String why = "";
        try {
            folder = DropPlace.folder(state, configuration.folder());
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
