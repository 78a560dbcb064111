package palyra.config.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.shared.files.DropInFolder;

/**
 * Finds the drop-in folder, whose configurations are a layer, in the configuration itself. Pure
 * functions.
 */
final class DropIn {
    private static final Target TARGET = new Target(DropInFolder.PID, "");

    private DropIn() {}

    /**
     * Returns the folder; empty without one.
     *
     * @param settings settings in force
     * @param state the state folder
     */
    static Optional<Path> place(
            Map<Target, Map<String, ConfigurationReconciler.Setting>> settings, Path state) {
        Map<String, ConfigurationReconciler.Setting> own = settings.getOrDefault(TARGET, Map.of());
        ConfigurationReconciler.Setting enabled = own.get(DropInFolder.ENABLED);
        if (enabled == null || !Boolean.TRUE.equals(enabled.value())) {
            return Optional.empty();
        }
        ConfigurationReconciler.Setting folder = own.get(DropInFolder.FOLDER);
        try {
            String configured = folder == null ? "" : folder.value().toString();
            return Optional.of(DropInFolder.folder(state, configured));
        } catch (PalyraException e) {
            return Optional.empty(); // palyra.deploy reports it
        }
    }
}
