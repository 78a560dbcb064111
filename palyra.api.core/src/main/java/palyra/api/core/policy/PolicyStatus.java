package palyra.api.core.policy;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * The status of the policies.
 *
 * @param current set in force; empty when none is loaded, and everything is denied
 * @param engine {@code compiled}, or {@code native} after the two engines disagreed
 * @param nativeEngine empty when the native engine is there, else why not
 * @param held whether the set in force came by rollback or apply, so that saved files wait for a
 *     reload
 * @param refused last change that was refused; empty when the files are in force
 * @param warnings of the set in force, such as a permit that never applies
 * @param folders folders that are read, absolute
 */
public record PolicyStatus(
        Optional<PolicySetView> current,
        String engine,
        String nativeEngine,
        boolean held,
        Optional<PolicyReport> refused,
        List<PolicyProblem> warnings,
        List<String> folders) {
    /** Checks and copies. */
    public PolicyStatus {
        Require.present(current, "current set");
        Require.text(engine, "engine");
        nativeEngine = Require.orEmpty(nativeEngine);
        Require.present(refused, "refused change");
        warnings = List.copyOf(warnings);
        folders = List.copyOf(folders);
    }
}
