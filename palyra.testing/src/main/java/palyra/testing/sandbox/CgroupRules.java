package palyra.testing.sandbox;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.testing.wait.Await;

/**
 * Cgroups that root delegates to the user of {@link ChildJvm}, as the start script does for the
 * gateway's user.
 */
public final class CgroupRules implements AutoCloseable {
    /** Why there may be none, for an assumption. */
    public static final String NEEDED =
            "cgroups can be delegated by root alone, where pids, memory and cpuacct of version 1 or"
                    + " those of version 2 are mounted writable below /sys/fs/cgroup";

    private static final Path MOUNTS = Path.of("/sys/fs/cgroup");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Path> made = new ArrayList<>();
    private final String variable;

    private CgroupRules(String variable) {
        this.variable = variable;
    }

    /** Delegates what there is here; empty as {@link #NEEDED} says. */
    public static Optional<CgroupRules> delegated() throws IOException, InterruptedException {
        if (!ChildJvm.isRoot()) {
            return Optional.empty();
        }
        ChildJvm.user();
        String name = "palyra-abuse-" + ProcessHandle.current().pid();
        Optional<CgroupRules> first = first(name);
        return first.isPresent() ? first : second(name);
    }

    private static Optional<CgroupRules> first(String name) throws IOException {
        List<Path> mounts =
                Stream.of("memory", "pids", "cpuacct")
                        .map(MOUNTS::resolve)
                        .filter(mount -> Files.exists(mount.resolve("tasks")))
                        .filter(Files::isWritable)
                        .toList();
        if (mounts.size() < 3) {
            return Optional.empty();
        }
        CgroupRules groups = new CgroupRules("v1:" + name);
        for (Path mount : mounts) {
            groups.make(mount.resolve(name));
        }
        return Optional.of(groups);
    }

    private static Optional<CgroupRules> second(String name) throws IOException {
        for (Path mount : List.of(MOUNTS, MOUNTS.resolve("unified"))) {
            Path controllers = mount.resolve("cgroup.controllers");
            if (Files.exists(controllers)
                    && Files.isWritable(mount)
                    && Files.readString(controllers).contains("pids")) {
                CgroupRules groups = new CgroupRules(mount.resolve(name).toString());
                groups.make(mount.resolve(name));
                groups.make(mount.resolve(name).resolve("gateway"));
                return Optional.of(groups);
            }
        }
        return Optional.empty();
    }

    private void make(Path folder) throws IOException {
        Files.createDirectory(folder);
        made.add(0, folder);
        UserPrincipal user =
                FileSystems.getDefault()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(ChildJvm.USER);
        try (Stream<Path> all = Files.walk(folder, 1)) {
            for (Path each : all.toList()) {
                Files.setOwner(each, user);
            }
        }
    }

    /** Puts before a command what makes it start in a cgroup of version 2. */
    static void enter(List<String> command, String variable) {
        if (variable.startsWith("/")) {
            command.addAll(
                    List.of(
                            "/bin/sh",
                            "-c",
                            "echo $$ >\"$0/gateway/cgroup.procs\" || exit 1; exec \"$@\"",
                            variable));
        }
    }

    /** Returns the launcher's value of {@code PALYRA_CGROUP}. */
    public String variable() {
        return variable;
    }

    /** Takes them away when nothing runs in them any more. */
    @Override
    public void close() {
        for (Path folder : made) {
            Await.until(folder + " to be empty", PATIENCE, () -> isDeleted(folder));
        }
    }

    private static boolean isDeleted(Path folder) {
        try {
            Files.deleteIfExists(folder);
            return true;
        } catch (IOException busy) {
            return false;
        }
    }
}
