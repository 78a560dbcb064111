package palyra.sandbox.posix.internal.cgroup;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where cgroups can be made.
 *
 * @param version {@code v1}, {@code v2}, or empty when nowhere
 * @param base folder under which cgroups are made when no controller is there (version 2 can kill
 *     without any); null when no cgroup can be made
 * @param controllers folder of each of {@code memory}, {@code pids} and {@code cpu} that can be
 *     used; {@code cpu} means that processor time is counted
 */
public record CgroupRoots(String version, Path base, Map<String, Path> controllers) {
    /** Nowhere. */
    public static final CgroupRoots NONE = new CgroupRoots("", null, Map.of());

    /** Copies. */
    public CgroupRoots {
        controllers = Map.copyOf(controllers);
    }

    boolean second() {
        return version.equals("v2");
    }

    /** Returns each folder once. */
    List<Path> folders() {
        List<Path> all =
                new java.util.ArrayList<>(
                        new TreeMap<>(controllers).values().stream().distinct().toList());
        if (base != null && !all.contains(base)) {
            all.add(base);
        }
        return all;
    }

    /** Returns the names of the controllers. */
    public Set<String> names() {
        return controllers.keySet();
    }
}
