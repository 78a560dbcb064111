package palyra.sandbox.posix.internal.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.GroupLimits;

/** Makes cgroups, and removes those of gateways that do not run any more. Thread-safe. */
public final class Cgroups {
    private final CgroupFiles files;
    private final CgroupRoots roots;
    private final LongConsumer kill;
    private final LongPredicate alive;

    /**
     * Creates it.
     *
     * @param kill sends SIGKILL to a process
     * @param alive whether a process runs, which a zombie does not
     */
    public Cgroups(CgroupFiles files, CgroupRoots roots, LongConsumer kill, LongPredicate alive) {
        this.files = files;
        this.roots = roots;
        this.kill = kill;
        this.alive = alive;
    }

    /** Returns where they are made. */
    public CgroupRoots roots() {
        return roots;
    }

    /**
     * Makes the cgroup of a call.
     *
     * @return empty when no cgroup can be made and none is required
     * @throws PalyraException TOOL_UNAVAILABLE when a required limit cannot be set
     */
    public Optional<Cgroup> create(String name, GroupLimits limits) {
        try {
            requireControllers(limits);
            return roots.version().isEmpty() ? Optional.empty() : make(name, limits);
        } catch (IOException refused) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The cgroup "
                            + name
                            + " could not be made: "
                            + refused.getMessage()
                            + "; restart the gateway with palyra up as root, which delegates"
                            + " cgroups to it.",
                    refused);
        }
    }

    private void requireControllers(GroupLimits limits) {
        require(limits.required() && limits.memoryBytes() > 0, "memory");
        require(limits.required() && limits.processes() > 0, "pids");
    }

    private void require(boolean needed, String controller) {
        if (needed && !roots.names().contains(controller)) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The command needs a limit by the cgroup controller "
                            + controller
                            + ", and no cgroup with it can be written; start the gateway with"
                            + " palyra up as root or with Delegate=yes of systemd.");
        }
    }

    private Optional<Cgroup> make(String name, GroupLimits limits) throws IOException {
        Set<Path> made = new LinkedHashSet<>();
        Map<String, Path> used = new HashMap<>();
        try {
            for (Path root : roots.folders()) {
                files.make(root.resolve(name));
                made.add(root.resolve(name));
            }
            for (String controller : roots.names()) {
                Path folder = roots.controllers().get(controller).resolve(name);
                if (limit(folder, controller, limits)) {
                    used.put(controller, folder);
                }
            }
        } catch (IOException refused) {
            group(made, used).remove(0);
            if (limits.required()) {
                throw refused;
            }
            return Optional.empty();
        }
        return Optional.of(group(made, used));
    }

    private Cgroup group(Set<Path> made, Map<String, Path> used) {
        return new Cgroup(files, roots.second(), List.copyOf(made), used, kill, alive);
    }

    private boolean limit(Path folder, String controller, GroupLimits limits) throws IOException {
        return switch (controller) {
            case "memory" -> limits.memoryBytes() > 0 && limitMemory(folder, limits.memoryBytes());
            case "pids" -> limits.processes() > 0 && limitProcesses(folder, limits.processes());
            default -> true;
        };
    }

    private boolean limitProcesses(Path folder, int processes) throws IOException {
        files.write(folder, "pids.max", Integer.toString(processes));
        return true;
    }

    private boolean limitMemory(Path folder, long bytes) throws IOException {
        String value = Long.toString(bytes);
        if (roots.second()) {
            files.write(folder, "memory.max", value);
            writeIfThere(folder, "memory.swap.max", "0");
            writeIfThere(folder, "memory.oom.group", "1");
        } else {
            files.write(folder, "memory.limit_in_bytes", value);
            writeIfThere(folder, "memory.memsw.limit_in_bytes", value);
        }
        return true;
    }

    private void writeIfThere(Path folder, String file, String value) throws IOException {
        if (files.has(folder, file)) {
            files.write(folder, file, value);
        }
    }

    /**
     * Kills and removes cgroups of calls.
     *
     * @param orphan whether the cgroup of this name is orphaned
     * @return how many processes were in them
     */
    public int clear(Predicate<String> orphan, long millis) {
        int killed = 0;
        Set<String> names = new LinkedHashSet<>();
        for (Path root : roots.folders()) {
            for (Path folder : files.folders(root)) {
                String name = folder.getFileName().toString();
                if (orphan.test(name)) {
                    names.add(name);
                }
            }
        }
        for (String name : names) {
            List<Path> folders = new ArrayList<>();
            roots.folders().forEach(root -> folders.add(root.resolve(name)));
            Cgroup group = new Cgroup(files, roots.second(), folders, Map.of(), kill, alive);
            killed += group.size();
            group.kill(System.nanoTime() + millis * 1_000_000);
            group.remove(millis);
        }
        return killed;
    }
}
