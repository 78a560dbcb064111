package palyra.sandbox.posix.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.HostFacts;
import palyra.sandbox.posix.internal.kernel.LandlockRules;

/** What an operator should know about a host, by what was found on it. */
final class HostFindings {
    private static final String AREA = "sandbox";

    private HostFindings() {}

    static List<Finding> of(HostFacts facts, long leftovers) {
        List<Finding> all = new ArrayList<>();
        if (!facts.problem().isEmpty()) {
            // As root nothing is broken: the tiers are off because they have to be.
            Severity severity = facts.effectiveUid() == 0 ? Severity.INFO : Severity.WARNING;
            all.add(new Finding(severity, AREA, facts.problem(), remedy(facts)));
        }
        if (leftovers > 0) {
            all.add(
                    new Finding(
                            Severity.ERROR,
                            AREA,
                            "Processes of " + leftovers + " commands could not be killed.",
                            "Look for processes of the gateway's user that it does not know, end"
                                    + " them, and restart the gateway."));
        }
        if (facts.os().equals("linux") && facts.effectiveUid() >= 0) {
            addLinux(all, facts);
        }
        all.sort(Comparator.comparing(Finding::severity).reversed());
        return List.copyOf(all);
    }

    private static String remedy(HostFacts facts) {
        return facts.effectiveUid() == 0
                ? "Start the gateway with palyra up, or as a user other than root."
                : "Install a POSIX shell as /bin/sh, and start the gateway from a folder where"
                        + " libraries may be executed.";
    }

    private static void addLinux(List<Finding> all, HostFacts facts) {
        if (facts.spawn().equals(HostProbe.PROCESS_BUILDER)) {
            add(
                    all,
                    "This C library lacks functions of posix_spawn, so commands run with limits"
                            + " but without kernel restrictions.",
                    "Use a distribution with glibc 2.34 or newer.");
        }
        if (facts.cgroup().isEmpty()) {
            all.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            "No cgroup can be written: the memory of a command is measured twenty"
                                    + " times a second, its processor time is limited for each of"
                                    + " its processes only, and daemons are found by a marker.",
                            "Start the gateway with palyra up as root, or as a systemd service with"
                                    + " Delegate=yes."));
        } else if (!facts.cgroupControllers().contains("memory")
                || !facts.cgroupControllers().contains("pids")) {
            add(
                    all,
                    "The cgroups of the gateway have "
                            + String.join(
                                    " and ", new java.util.TreeSet<>(facts.cgroupControllers()))
                            + " only, so memory or the number of processes is not limited in sum.",
                    "Delegate the controllers memory and pids to the gateway's user.");
        }
        addKernel(all, facts);
    }

    private static void addKernel(List<Finding> all, HostFacts facts) {
        if (facts.landlockAbi() == 0) {
            add(
                    all,
                    "The kernel has no Landlock: files and ports cannot be kept from commands"
                            + " without namespaces.",
                    "Use Linux 5.13 or newer with landlock in the lsm= list of the kernel.");
        } else if (facts.landlockAbi() < LandlockRules.SCOPES) {
            add(
                    all,
                    "Landlock has version "
                            + facts.landlockAbi()
                            + ": it does not keep signals"
                            + (facts.landlockAbi() < LandlockRules.TCP ? " and TCP ports" : "")
                            + " from commands.",
                    "Use Linux 6.12 or newer.");
        }
        if (!facts.seccomp()) {
            add(
                    all,
                    "The kernel takes no seccomp filters on this processor.",
                    "Use a kernel with CONFIG_SECCOMP_FILTER on x86-64 or 64-bit ARM.");
        }
    }

    private static void add(List<Finding> all, String message, String remedy) {
        all.add(new Finding(Severity.WARNING, AREA, message, remedy));
    }
}
