package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Remedies for a bubblewrap that does not work, by the settings of the kernel. */
final class Remedies {
    static final String INSTALL_BWRAP =
            "Install it (apt install bubblewrap, or dnf install bubblewrap), or set bwrapPath in "
                    + TierCConfiguration.PID
                    + ".";
    static final String INSTALL_SOCAT =
            "Install it (apt install socat, or dnf install socat), or set socatPath in "
                    + TierCConfiguration.PID
                    + ".";
    static final String NO_FILTER =
            "Use a kernel with CONFIG_SECCOMP_FILTER on x86-64 or aarch64, or name seccomp in"
                    + " permitMissing to do without.";
    static final String NO_PORTS =
            "Use Linux 6.7 or later with landlock in the kernel's lsm= list, use strict egress, or"
                    + " name landlock in permitMissing to do without.";
    static final String NO_CGROUP =
            "Delegate a cgroup with memory to the gateway (Delegate=yes in its systemd unit), or"
                    + " name cgroup in permitMissing to do without.";
    static final String LOOK_AGAIN = "Correct that, then have the sandboxes look again.";

    private final Path settings;

    /**
     * @param settings {@code /proc/sys}, or a copy
     */
    Remedies(Path settings) {
        this.settings = settings;
    }

    /** Returns the remedy when bubblewrap could not make a sandbox. */
    String blocked(String problem, Path bwrap) {
        if (problem.contains("-bind-fd")) {
            return "Upgrade bubblewrap to 0.10 or later, or to a security update of the"
                    + " distribution's version that has --bind-fd (that for CVE-2024-42472, such as"
                    + " 0.8.0-2+deb12u1 or 0.9.0-1ubuntu0.1).";
        }
        if ("1".equals(read("kernel/apparmor_restrict_unprivileged_userns"))) {
            return "AppArmor keeps user namespaces from programs without a profile. Write this to"
                    + " /etc/apparmor.d/bwrap and run apparmor_parser -r /etc/apparmor.d/bwrap:"
                    + " abi <abi/4.0>, include <tunables/global> profile bwrap "
                    + bwrap
                    + " flags=(unconfined) { userns, include if exists <local/bwrap> }";
        }
        if ("0".equals(read("kernel/unprivileged_userns_clone"))) {
            return "Permit user namespaces: sysctl -w kernel.unprivileged_userns_clone=1, and"
                    + " the same in /etc/sysctl.d.";
        }
        if ("0".equals(read("user/max_user_namespaces"))) {
            return "Permit user namespaces: sysctl -w user.max_user_namespaces=15000, and the same"
                    + " in /etc/sysctl.d.";
        }
        return problem.contains("namespace") || problem.contains("ermi")
                ? "Let the gateway's user make user namespaces; in a container that is up to the"
                        + " container's own security profile."
                : LOOK_AGAIN;
    }

    /** Returns the settings that matter, for the facts; what does not exist is "absent". */
    String userNamespaces() {
        return "unprivileged_userns_clone:"
                + orAbsent(read("kernel/unprivileged_userns_clone"))
                + ",apparmor_restrict_unprivileged_userns:"
                + orAbsent(read("kernel/apparmor_restrict_unprivileged_userns"))
                + ",max_user_namespaces:"
                + orAbsent(read("user/max_user_namespaces"));
    }

    private static String orAbsent(String value) {
        return value.isEmpty() ? "absent" : value;
    }

    private String read(String name) {
        try {
            return Files.readString(settings.resolve(name)).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
