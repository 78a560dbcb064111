package palyra.config.internal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Takes validated configurations. */
interface ConfigurationSink {
    /** Returns the targets that this bundle installed earlier and that still exist. */
    Set<Target> managedTargets() throws IOException;

    /** Installs the whole configuration of a target; no effect when it is unchanged. */
    void put(Target target, Map<String, Object> values) throws IOException;

    /** Deletes the configuration of a target that this bundle installed; no effect without one. */
    void delete(Target target) throws IOException;
}
