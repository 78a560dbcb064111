package palyra.config.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.shared.files.DropPlace;

/**
 * Where the drop-in folder lies, as the configuration itself says; its configurations are a layer.
 * Pure.
 */
final class DropIn {
    private static final Target TARGET = new Target(DropPlace.PID, "");

    private DropIn() {}

    /**
     * Returns the folder; empty while there is none.
     *
     * @param settings what is in force
     * @param state the state folder
     */
    static Optional<Path> place(
            Map<Target, Map<String, ConfigurationReconciler.Setting>> settings, Path state) {
        Map<String, ConfigurationReconciler.Setting> own = settings.getOrDefault(TARGET, Map.of());
        ConfigurationReconciler.Setting enabled = own.get(DropPlace.ENABLED);
        if (enabled == null || !Boolean.TRUE.equals(enabled.value())) {
            return Optional.empty();
        }
        ConfigurationReconciler.Setting folder = own.get(DropPlace.FOLDER);
        try {
            String configured = folder == null ? "" : folder.value().toString();
            return Optional.of(DropPlace.folder(state, configured));
        } catch (PalyraException e) {
            return Optional.empty(); // the bundle that the folder belongs to tells people
        }
    }
}
