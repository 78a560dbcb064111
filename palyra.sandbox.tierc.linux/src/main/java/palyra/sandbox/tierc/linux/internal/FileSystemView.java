package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.SandboxSpec;
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

    /** Where commands that share a sandbox find their home folder. */
    static final String SHARED_HOME = "/home/sandbox";

    private static final String TEMPORARY = "/tmp";

    private static final List<Passed> FILES =
            List.of(
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
    static List<Passed> files(SandboxSpec spec) {
        List<Passed> files = new ArrayList<>(FILES);
        files.add(
                text(
                        PASSWD,
                        "sandbox:x:1000:1000:sandbox:"
                                + home(spec)
                                + ":/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n"));
        return files;
    }

    /** Returns the home folder as a command finds it. */
    static String home(SandboxSpec spec) {
        return spec.shared().isPresent() ? SHARED_HOME : TEMPORARY;
    }

    /**
     * Adds the mounts.
     *
     * @param names whether the host's name service is there
     */
    static void addTo(BwrapArguments arguments, Mounts mounts, SandboxSpec spec, boolean names) {
        long scratchBytes = spec.limits().scratchBytes();
        SystemPaths.PROGRAMS.forEach(path -> addPrograms(arguments, path));
        arguments.add("--dir", "/etc");
        SystemPaths.settings().forEach(path -> arguments.add("--ro-bind-try", path, path));
        if (names) {
            SystemPaths.NAME_SERVICE.forEach(path -> arguments.add("--ro-bind-try", path, path));
        }
        arguments.add("--ro-bind-data", "" + PASSWD, "/etc/passwd");
        arguments.add("--ro-bind-data", "" + GROUP, "/etc/group");
        arguments.add("--ro-bind-data", "" + HOSTS, "/etc/hosts");
        arguments.add("--ro-bind-data", "" + SERVICES, "/etc/nsswitch.conf");
        addProcesses(arguments, spec);
        arguments.add("--dev", "/dev");
        addMemory(arguments, SHARED_MEMORY_BYTES, "/dev/shm");
        arguments.add("--remount-ro", "/dev");
        if (spec.shared().isPresent()) {
            mounts.writable(spec.shared().get().temporary(), TEMPORARY);
            mounts.writable(spec.shared().get().home(), SHARED_HOME);
        } else {
            addMemory(arguments, scratchBytes, TEMPORARY);
        }
        addMemory(arguments, scratchBytes, "/var/tmp");
    }

    /** A command that enters a sandbox may not mount its own view of the processes there. */
    private static void addProcesses(BwrapArguments arguments, SandboxSpec spec) {
        if (spec.shared().isPresent()) {
            arguments.add("--bind", "/proc", "/proc");
        } else {
            arguments.add("--proc", "/proc");
        }
        arguments.add("--ro-bind", "/proc/sys", "/proc/sys");
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
