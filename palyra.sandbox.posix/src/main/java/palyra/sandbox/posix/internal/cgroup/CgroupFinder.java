package palyra.sandbox.posix.internal.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds where cgroups can be made: in the folder that the start script has delegated and named in
 * {@code PALYRA_CGROUP} (an absolute path for version 2, {@code v1:NAME} for version 1), else in
 * the gateway's own cgroup of version 2 when that is delegated to its user, as by {@code
 * Delegate=yes} of systemd.
 */
public final class CgroupFinder {
    /** The variable. */
    public static final String VARIABLE = "PALYRA_CGROUP";

    private static final String LEAF = "gateway";
    private static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");

    private final CgroupFiles files;
    private final Path mounts;
    private final Path self;
    private final Optional<String> named;

    /**
     * Creates it.
     *
     * @param mounts where version 1 is mounted: {@code /sys/fs/cgroup}
     * @param self {@code /proc/self}
     * @param named value of the variable
     */
    public CgroupFinder(CgroupFiles files, Path mounts, Path self, Optional<String> named) {
        this.files = files;
        this.mounts = mounts;
        this.self = self;
        this.named = named.filter(value -> !value.isBlank());
    }

    /** Searches. May move the gateway into a leaf of its own cgroup, which cgroups below need. */
    public CgroupRoots find() {
        try {
            if (named.isPresent()) {
                String place = named.get().strip();
                return place.startsWith("v1:") ? first(place.substring(3)) : second(Path.of(place));
            }
            return own();
        } catch (InvalidPathException odd) {
            return CgroupRoots.NONE;
        }
    }

    private CgroupRoots first(String name) {
        Map<String, Path> found = new HashMap<>();
        putFirst(found, "memory", name, "memory");
        putFirst(found, "pids", name, "pids");
        putFirst(found, "cpu", name, "cpuacct", "cpu,cpuacct", "cpuacct,cpu", "cpu");
        return found.isEmpty()
                ? CgroupRoots.NONE
                : new CgroupRoots("v1", found.values().iterator().next(), found);
    }

    private void putFirst(Map<String, Path> found, String name, String below, String... mounted) {
        for (String mount : mounted) {
            Path root = mounts.resolve(mount).resolve(below).normalize();
            boolean inside = root.startsWith(mounts.resolve(mount)) && Files.isDirectory(root);
            boolean counts = !name.equals("cpu") || files.has(root, "cpuacct.usage");
            if (inside && counts && Files.isWritable(root)) {
                found.put(name, root);
                return;
            }
        }
    }

    private CgroupRoots second(Path base) {
        boolean ours =
                base.isAbsolute()
                        && Files.isWritable(base)
                        && Files.isWritable(base.resolve("cgroup.procs"));
        if (!ours) {
            return CgroupRoots.NONE;
        }
        enable(base);
        String enabled = " " + files.read(base, "cgroup.subtree_control").orElse("") + " ";
        Map<String, Path> found = new HashMap<>();
        for (String controller : CONTROLLERS) {
            if (enabled.contains(" " + controller + " ")) {
                found.put(controller, base);
            }
        }
        found.put("cpu", base); // cpu.stat counts without its controller too
        return new CgroupRoots("v2", base, found);
    }

    private void enable(Path base) {
        for (String controller : CONTROLLERS) {
            try {
                files.write(base, "cgroup.subtree_control", "+" + controller);
            } catch (IOException notDelegated) {
                continue; // enabled controllers are read afterwards
            }
        }
    }

    private CgroupRoots own() {
        Optional<Path> mount = secondMount();
        String path = ownPath();
        if (mount.isEmpty() || path.length() < 2) {
            return CgroupRoots.NONE; // the root of all cgroups is never ours
        }
        Path here = mount.get().resolve(path.substring(1));
        if (here.endsWith(LEAF)) {
            return second(here.getParent());
        }
        if (!Files.isWritable(here) || !Files.isWritable(here.resolve("cgroup.procs"))) {
            return CgroupRoots.NONE;
        }
        moveInto(here);
        return second(here);
    }

    /** Only leaves may have processes once controllers are enabled below. */
    private void moveInto(Path here) {
        Path leaf = here.resolve(LEAF);
        try {
            if (!Files.isDirectory(leaf)) {
                files.make(leaf);
            }
            for (String pid : files.read(here, "cgroup.procs").orElse("").split("\n")) {
                if (!pid.isBlank()) {
                    files.write(leaf, "cgroup.procs", pid);
                }
            }
        } catch (IOException refused) {
            return; // second() finds out what can be used in spite of it
        }
    }

    private String ownPath() {
        for (String line : files.read(self, "cgroup").orElse("").split("\n")) {
            if (line.startsWith("0::/")) {
                return line.substring(3);
            }
        }
        return "";
    }

    private Optional<Path> secondMount() {
        for (String line : files.read(self, "mountinfo").orElse("").split("\n")) {
            String[] fields = line.split(" ");
            if (fields.length > 4 && line.contains(" - cgroup2 ")) {
                return Optional.of(Path.of(fields[4]));
            }
        }
        return Optional.empty();
    }
}
