package palyra.sandbox.posix.internal;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.sandbox.HostFacts;
import palyra.sandbox.posix.internal.cgroup.CgroupFiles;
import palyra.sandbox.posix.internal.cgroup.CgroupFinder;
import palyra.sandbox.posix.internal.cgroup.CgroupRoots;
import palyra.sandbox.posix.internal.kernel.LandlockRules;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.libc.Os;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;
import palyra.sandbox.posix.internal.spawn.ShellDialect;
import palyra.sandbox.posix.internal.spawn.ShellProbe;

/** Probes the host. Tests replace single methods. */
class HostProbe {
    static final String POSIX_SPAWN = "posix_spawn";
    static final String PROCESS_BUILDER = "process_builder";
    private static final int GET_NO_NEW_PRIVILEGES = 39;
    private static final long ACTION_AVAILABLE = 2;
    private static final int ACTION_ERRNO = 0x0005_0000;

    private final boolean rootAllowed;
    private final Optional<String> groupName;

    /** Creates it; {@code rootAllowed} is for tests that need root's rights. */
    HostProbe(boolean rootAllowed, Optional<String> groupName) {
        this.rootAllowed = rootAllowed;
        this.groupName = groupName;
    }

    /** Result of a probe. */
    record Found(HostFacts facts, CgroupRoots roots, ShellDialect shell) {}

    Found look(Libc libc) {
        boolean linux = libc.os().linux();
        ShellDialect shell = shell(linux);
        long user = libc.effectiveUser();
        CgroupRoots roots = linux && !refuses(user) ? groups() : CgroupRoots.NONE;
        HostFacts facts =
                new HostFacts(
                        Os.name(),
                        Os.archName(),
                        System.getProperty("os.version", ""),
                        user,
                        spawn(libc),
                        LandlockRules.version(libc),
                        linux && knownProcessor() && filters(libc),
                        linux && libc.processControl(GET_NO_NEW_PRIVILEGES, 0) == 1,
                        roots.version(),
                        roots.names(),
                        problem(user, shell));
        return new Found(facts, roots, shell);
    }

    String spawn(Libc libc) {
        return PosixSpawn.available(libc) ? POSIX_SPAWN : PROCESS_BUILDER;
    }

    ShellDialect shell(boolean linux) {
        return ShellProbe.probe(linux);
    }

    private CgroupRoots groups() {
        return new CgroupFinder(
                        new CgroupFiles(),
                        Path.of("/sys/fs/cgroup"),
                        Path.of("/proc/self"),
                        groupName)
                .find();
    }

    private static boolean knownProcessor() {
        return Set.of("x86_64", "aarch64").contains(Os.archName());
    }

    private static boolean filters(Libc libc) {
        try (Arena arena = new Arena()) {
            var action = arena.zeros(4);
            action.setInt(0, ACTION_ERRNO);
            long address = com.sun.jna.Pointer.nativeValue(action);
            return libc.system(LinuxCall.SECCOMP, ACTION_AVAILABLE, 0, address) == 0;
        }
    }

    /** Returns whether this user must not launch anything. */
    boolean refuses(long user) {
        return user == 0 && !rootAllowed;
    }

    private String problem(long user, ShellDialect shell) {
        if (refuses(user)) {
            return "The gateway runs as root, and no sandbox confines root: start it with"
                    + " palyra up, which gives it a user of its own.";
        }
        return shell.usable()
                ? ""
                : "Limits are set by " + ShellProbe.SHELL + ", and " + shell.problem();
    }

    /** Returns the facts of a host whose C library cannot be called. */
    static HostFacts without(String problem) {
        return new HostFacts(
                Os.name(),
                Os.archName(),
                System.getProperty("os.version", ""),
                -1,
                "",
                0,
                false,
                false,
                "",
                Set.of(),
                problem);
    }
}
