package palyra.config.internal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Where checked configurations go. */
interface Installation {
    /** Returns what we installed earlier and is still there. */
    Set<Target> ours() throws IOException;

    /** Installs the whole configuration of a target; nothing happens when it is there already. */
    void put(Target target, Map<String, Object> values) throws IOException;

    /** Deletes the configuration of a target; nothing happens when there is none of ours. */
    void delete(Target target) throws IOException;
}
