package palyra.api.core.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;

/**
 * How one process is to be started: everything that the launcher has to know, nothing about
 * policies.
 *
 * @param callId names cgroups and marks processes; as in {@link SandboxSpec}
 * @param argv program, an absolute path, and arguments; passed byte for byte as UTF-8
 * @param environment the whole environment, nothing is added but a marker of the call
 * @param workingFolder absolute path where it starts
 * @param rlimits limits of the first process and of all that it starts
 * @param group limits of all of them together, where a cgroup can be had
 * @param landlock rules for the thread that starts it; absent means none
 * @param seccomp filter for the thread that starts it; absent means none
 * @param passed data that the process finds open at given descriptors
 * @param opened files and folders that the process finds open as places at given descriptors
 * @param statusDescriptor descriptor at which the process writes JSON status lines in the manner of
 *     {@code bwrap --json-status-fd}; 0 when it does not. With it, the child that is named there is
 *     what a kill aims at, and its {@code exit-code} tells whether the command ran
 * @param stdinPiped whether standard input is a pipe; the null device otherwise
 * @param within process of the same launcher whose sandbox this one enters: it joins that one's
 *     cgroup, its status lines name processes as that sandbox numbers them, and processes that it
 *     leaves behind are ended with that sandbox or by {@link SandboxProcess#kill}, not when it is
 *     closed; absent for a process of its own
 * @param enforcement what {@link SandboxProcess#enforcement} says; the launcher appends what it
 *     alone knows: {@code spawn=}, {@code cgroup=}, {@code kill=}
 */
public record LaunchPlan(
        String callId,
        List<String> argv,
        Map<String, String> environment,
        String workingFolder,
        Rlimits rlimits,
        Optional<GroupLimits> group,
        Optional<Landlock> landlock,
        Optional<byte[]> seccomp,
        List<Passed> passed,
        List<Opened> opened,
        int statusDescriptor,
        boolean stdinPiped,
        Optional<SandboxProcess> within,
        String enforcement) {
    /** Checks and copies. */
    public LaunchPlan {
        Require.text(callId, "call id");
        argv = List.copyOf(argv);
        Require.that(
                !argv.isEmpty() && argv.get(0).startsWith("/"),
                "a launch needs a program with an absolute path");
        environment = Map.copyOf(environment);
        Require.text(workingFolder, "working folder");
        Require.present(rlimits, "limits");
        Require.present(group, "group limits");
        Require.present(landlock, "landlock rules");
        Require.present(seccomp, "seccomp filter");
        passed = List.copyOf(passed);
        opened = List.copyOf(opened);
        Require.present(within, "sandbox to enter");
        Require.text(enforcement, "enforcement");
    }

    /** Makes a plan of a process of its own without opened places. */
    public LaunchPlan(
            String callId,
            List<String> argv,
            Map<String, String> environment,
            String workingFolder,
            Rlimits rlimits,
            Optional<GroupLimits> group,
            Optional<Landlock> landlock,
            Optional<byte[]> seccomp,
            List<Passed> passed,
            int statusDescriptor,
            boolean stdinPiped,
            String enforcement) {
        this(
                callId,
                argv,
                environment,
                workingFolder,
                rlimits,
                group,
                landlock,
                seccomp,
                passed,
                List.of(),
                statusDescriptor,
                stdinPiped,
                Optional.empty(),
                enforcement);
    }

    /**
     * Limits by {@code setrlimit}; a value of 0 means that this one is not set. No core file is
     * ever written.
     *
     * @param cpuSeconds processor seconds of each process; a second later it is killed
     * @param addressSpaceBytes address space of each process
     * @param fileBytes largest file
     * @param openFiles descriptors
     * @param processes processes of this user in this user namespace
     */
    public record Rlimits(
            long cpuSeconds,
            long addressSpaceBytes,
            long fileBytes,
            int openFiles,
            int processes) {}

    /**
     * Limits of all processes together. What cannot be had is left out and said in the enforcement,
     * unless {@code required}.
     *
     * @param memoryBytes memory, swap included; 0 for none
     * @param processes processes and threads; 0 for none
     * @param required whether a launch without them is refused
     */
    public record GroupLimits(long memoryBytes, int processes, boolean required) {}

    /**
     * Landlock rules, see landlock(7). Access rights that the kernel does not know are left out.
     *
     * @param handleFiles whether everything below no path of {@code paths} is refused
     * @param paths what may be reached
     * @param restrictTcp whether TCP is refused except for {@code connectPorts}
     * @param connectPorts ports that may be connected to
     * @param scoped whether signals to, and abstract sockets of, processes outside are refused
     * @param metadata whether mode, owner, times and attributes of files change beneath paths with
     *     {@link Access#WRITE} only, and files are watched beneath {@code paths} only. Landlock has
     *     no rules for that, so a supervisor in the gateway makes these calls for the process; a
     *     launch is refused where the kernel does not let it, and without a seccomp filter
     */
    public record Landlock(
            boolean handleFiles,
            List<PathRule> paths,
            boolean restrictTcp,
            Set<Integer> connectPorts,
            boolean scoped,
            boolean metadata) {
        /** Copies. */
        public Landlock {
            paths = List.copyOf(paths);
            connectPorts = Set.copyOf(connectPorts);
        }

        /** Makes rules that leave metadata of files open. */
        public Landlock(
                boolean handleFiles,
                List<PathRule> paths,
                boolean restrictTcp,
                Set<Integer> connectPorts,
                boolean scoped) {
            this(handleFiles, paths, restrictTcp, connectPorts, scoped, false);
        }
    }

    /**
     * What may be done at and below a path. A path that does not exist is left out.
     *
     * @param path absolute path
     * @param access what may be done
     */
    public record PathRule(String path, Access access) {}

    /** Kinds of access to a path. */
    public enum Access {
        /** Read files and list folders. */
        READ,
        /** READ, and execute. */
        EXECUTE,
        /** EXECUTE, and write, create, remove, rename, truncate. */
        WRITE,
        /** Read and write existing files, such as {@code /dev/null}. */
        DEVICE
    }

    /**
     * Data that the process finds open for reading.
     *
     * @param descriptor its number, from 3
     * @param content what can be read there
     */
    public record Passed(int descriptor, byte[] content) {}

    /**
     * A file or folder that the process finds open as a place, without access to its content; see
     * {@code O_PATH} in open(2). It stays the same file even if its path leads elsewhere later. It
     * is opened by its real path: a symbolic link anywhere in it means that nothing is started.
     *
     * @param descriptor its number, from 3
     * @param path absolute real path; what does not exist means that nothing is started
     */
    public record Opened(int descriptor, String path) {}
}
