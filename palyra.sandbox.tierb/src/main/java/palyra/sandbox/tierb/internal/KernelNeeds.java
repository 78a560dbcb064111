package palyra.sandbox.tierb.internal;

import java.util.Optional;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.Refusals;
import palyra.shared.seccomp.Architecture;

/**
 * Requirements of Tier B on the kernel. Landlock counts from version 6 on: with version 1 to 5 a
 * command can signal the gateway, before 4 it reaches every TCP port, before 3 it can truncate
 * files outside. See landlock(7).
 */
final class KernelNeeds {
    /** First version that keeps signals and abstract sockets inside. */
    static final int LANDLOCK_ABI = 6;

    static final String LANDLOCK_REMEDY =
            "Use Linux 6.12 or later with landlock in the kernel's lsm= list, use Tier C, or name"
                    + " landlock in permitMissing to do without.";
    static final String SECCOMP_REMEDY =
            "Use a kernel with CONFIG_SECCOMP_FILTER on x86-64 or aarch64, or name seccomp in"
                    + " permitMissing to do without.";
    static final String CGROUP_REMEDY =
            "Delegate a cgroup with memory and pids to the gateway (Delegate=yes in its systemd"
                    + " unit), or name cgroup in permitMissing to do without.";

    private KernelNeeds() {}

    static boolean landlock(HostFacts host) {
        return host.landlockAbi() >= LANDLOCK_ABI;
    }

    static boolean seccomp(HostFacts host) {
        return host.seccomp() && architecture(host).isPresent();
    }

    /** Returns whether to try supervision of metadata, which needs both others. */
    static boolean supervision(HostFacts host) {
        return host.landlockAbi() > 0 && seccomp(host);
    }

    static boolean cgroup(HostFacts host) {
        return host.cgroupControllers().contains("memory")
                && host.cgroupControllers().contains("pids");
    }

    static Optional<Architecture> architecture(HostFacts host) {
        return Architecture.of(host.arch());
    }

    /** Refuses a spec that needs a feature that this kernel lacks. */
    static void check(SandboxSpec spec, HostFacts host) {
        Refusals.unlessPermitted(
                landlock(host),
                spec.permitMissing().contains("landlock"),
                "Tier B needs Landlock version 6 of the kernel; this one has "
                        + (host.landlockAbi() == 0 ? "none" : "version " + host.landlockAbi())
                        + ".",
                LANDLOCK_REMEDY);
        Refusals.unlessPermitted(
                seccomp(host),
                spec.permitMissing().contains("seccomp"),
                "Tier B needs seccomp filters; this kernel has none, or there is no filter for "
                        + host.arch()
                        + ".",
                SECCOMP_REMEDY);
        Refusals.unlessPermitted(
                cgroup(host),
                spec.permitMissing().contains("cgroup"),
                "Tier B needs a cgroup that counts memory and processes of a command; the gateway"
                        + " can write none.",
                CGROUP_REMEDY);
    }
}
