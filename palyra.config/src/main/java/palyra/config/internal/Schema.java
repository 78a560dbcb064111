package palyra.config.internal;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Declaration of a PID by its bundle.
 *
 * @param pid the PID
 * @param bundle symbolic name of the declaring bundle
 * @param factory whether it is a factory PID with named instances
 * @param attributes by key
 */
record Schema(String pid, String bundle, boolean factory, Map<String, Attribute> attributes) {
    Schema {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }
}
