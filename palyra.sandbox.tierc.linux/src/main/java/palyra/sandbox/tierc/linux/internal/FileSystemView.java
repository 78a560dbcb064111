package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.shared.confine.SystemPaths;

/**
 * The file system that a command sees, apart from its workspace: programs and libraries of the
 * host, a few of its settings, generated accounts and hosts, and a tmpfs of a given size for
 * temporary files. Only that tmpfs can be written.
 */
final class FileSystemView {
    private static final int PASSWD = 10; // single digits are for the launcher
    private static final int GROUP = 11;
    private static final int HOSTS = 12;
    private static final int SERVICES = 13;

    /** Highest descriptor that is used here. */
    static final int LAST = SERVICES;

    private static final long SHARED_MEMORY_BYTES = 16L << 20;
    private static final long PAGE_BYTES = 4_096;

    /** User id of the command inside; outside it has the gateway's user. */
    static final String USER_ID = "1000";

    private static final List<Passed> FILES =
            List.of(
                    text(
                            PASSWD,
                            """
                            sandbox:x:1000:1000:sandbox:/tmp:/bin/sh
                            nobody:x:65534:65534:nobody:/:/bin/false
                            """),
                    text(
                            GROUP,
                            """
                            sandbox:x:1000:
                            nogroup:x:65534:
                            """),
                    text(
                            HOSTS,
                            """
                            127.0.0.1 localhost sandbox
                            ::1 localhost ip6-localhost
                            """),
                    text(
                            SERVICES,
                            """
                            passwd: files
                            group: files
                            hosts: files dns
                            services: files
                            protocols: files
                            """));

    private FileSystemView() {}

    private static Passed text(int descriptor, String content) {
        return new Passed(descriptor, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the made-up files, at the descriptors that the arguments name. */
    static List<Passed> files() {
        return FILES;
    }

    /**
     * Adds the mounts.
     *
     * @param scratchBytes size of each folder for temporary files
     * @param names whether the host's name service is there
     */
    static void addTo(BwrapArguments arguments, long scratchBytes, boolean names) {
        SystemPaths.PROGRAMS.forEach(path -> addPrograms(arguments, path));
        arguments.add("--dir", "/etc");
        SystemPaths.SETTINGS.forEach(path -> arguments.add("--ro-bind-try", path, path));
        if (names) {
            SystemPaths.NAME_SERVICE.forEach(path -> arguments.add("--ro-bind-try", path, path));
        }
        arguments.add("--ro-bind-data", "" + PASSWD, "/etc/passwd");
        arguments.add("--ro-bind-data", "" + GROUP, "/etc/group");
        arguments.add("--ro-bind-data", "" + HOSTS, "/etc/hosts");
        arguments.add("--ro-bind-data", "" + SERVICES, "/etc/nsswitch.conf");
        arguments.add("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys");
        arguments.add("--dev", "/dev");
        addMemory(arguments, SHARED_MEMORY_BYTES, "/dev/shm");
        arguments.add("--remount-ro", "/dev");
        addMemory(arguments, scratchBytes, "/tmp");
        addMemory(arguments, scratchBytes, "/var/tmp");
    }

    private static void addPrograms(BwrapArguments arguments, String path) {
        Optional<String> target = linkTarget(Path.of(path));
        if (target.isPresent()) {
            arguments.add("--symlink", target.get(), path);
        } else {
            arguments.add("--ro-bind-try", path, path);
        }
    }

    private static Optional<String> linkTarget(Path path) {
        try {
            return Files.isSymbolicLink(path)
                    ? Optional.of(Files.readSymbolicLink(path).toString())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void addMemory(BwrapArguments arguments, long bytes, String path) {
        String size = Long.toString(Math.max(PAGE_BYTES, bytes));
        arguments.add("--size", size, "--tmpfs", path);
    }
}
