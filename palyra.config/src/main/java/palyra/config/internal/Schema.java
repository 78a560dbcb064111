package palyra.config.internal;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a PID takes, as the bundle that declares it says.
 *
 * @param pid the PID
 * @param bundle symbolic name of the declaring bundle
 * @param factory whether it has named instances instead of being one
 * @param attributes by key
 */
record Schema(String pid, String bundle, boolean factory, Map<String, Attribute> attributes) {
    Schema {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }
}
