package palyra.sandbox.posix.internal;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** As root, delegates cgroups of this host to the user of the tests, as the start script does. */
final class Cgroups implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/sys/fs/cgroup");

    private final List<Path> made = new ArrayList<>();
    private final String variable;

    private Cgroups(String variable) {
        this.variable = variable;
    }

    /** Delegates cgroups of version 1; empty when there are none or this is not root. */
    static Optional<Cgroups> first() throws IOException {
        String name = "palyra-test-" + ProcessHandle.current().pid();
        Cgroups groups = new Cgroups("v1:" + name);
        for (String controller : List.of("memory", "pids", "cpuacct")) {
            Path mount = MOUNTS.resolve(controller);
            if (Child.root() && Files.isWritable(mount) && Files.exists(mount.resolve("tasks"))) {
                groups.make(mount.resolve(name));
            }
        }
        return groups.made.isEmpty() ? Optional.empty() : Optional.of(groups);
    }

    /** Delegates a cgroup of version 2; empty when there is none or this is not root. */
    static Optional<Cgroups> second() throws IOException {
        for (Path mount : List.of(MOUNTS, MOUNTS.resolve("unified"))) {
            if (Child.root()
                    && Files.exists(mount.resolve("cgroup.controllers"))
                    && Files.isWritable(mount)) {
                Path base = mount.resolve("palyra-test-" + ProcessHandle.current().pid());
                Cgroups groups = new Cgroups(base.toString());
                groups.make(base);
                groups.make(base.resolve("gateway"));
                return Optional.of(groups);
            }
        }
        return Optional.empty();
    }

    private void make(Path folder) throws IOException {
        Files.createDirectory(folder);
        made.add(0, folder);
        var user =
                FileSystems.getDefault()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(Child.USER);
        try (var all = Files.walk(folder, 1)) {
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

    String variable() {
        return variable;
    }

    @Override
    public void close() throws Exception {
        for (Path folder : made) {
            for (int i = 0; i < 300 && Files.exists(folder); i++) {
                try {
                    Files.delete(folder);
                } catch (IOException busy) {
                    Thread.sleep(20);
                }
            }
        }
    }
}
