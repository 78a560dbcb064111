package palyra.api.core.sandbox;

import java.util.Set;
import palyra.api.Require;

/**
 * What a host has for sandboxes.
 *
 * @param os {@code linux}, {@code macos}, {@code windows} or {@code other}
 * @param arch {@code x86_64}, {@code aarch64} or what the JVM calls it
 * @param kernel version of the kernel; may be empty
 * @param effectiveUid effective user id of this JVM; -1 when the platform has none
 * @param spawn how processes are started: {@code posix_spawn}, or {@code process_builder} when the
 *     C library lacks what it takes
 * @param landlockAbi version of Landlock; 0 when the kernel has none
 * @param seccomp whether filters can be installed
 * @param noNewPrivs whether this JVM itself can gain no privileges by execution any more
 * @param cgroup {@code v2}, {@code v1} or empty when none is writable
 * @param cgroupControllers writable controllers: {@code memory}, {@code pids}, {@code cpu}
 * @param problem one sentence, why nothing can be launched at all; empty when it can
 */
public record HostFacts(
        String os,
        String arch,
        String kernel,
        long effectiveUid,
        String spawn,
        int landlockAbi,
        boolean seccomp,
        boolean noNewPrivs,
        String cgroup,
        Set<String> cgroupControllers,
        String problem) {
    /** Checks and copies. */
    public HostFacts {
        Require.text(os, "operating system");
        Require.text(arch, "architecture");
        kernel = Require.orEmpty(kernel);
        spawn = Require.orEmpty(spawn);
        cgroup = Require.orEmpty(cgroup);
        cgroupControllers = Set.copyOf(cgroupControllers);
        problem = Require.orEmpty(problem);
    }
}
