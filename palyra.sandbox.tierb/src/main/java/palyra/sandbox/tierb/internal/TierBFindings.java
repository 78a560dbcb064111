package palyra.sandbox.tierb.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.HostFacts;

/** Findings about Tier B. Stateless. */
final class TierBFindings {
    private static final String AREA = "sandbox tier b";

    private TierBFindings() {}

    static List<Finding> of(BackendStatus status, HostFacts host, long foldersLeft) {
        List<Finding> findings = new ArrayList<>();
        if (status.state() == State.REFUSING) {
            findings.add(new Finding(severity(host), AREA, status.cause(), status.remedy()));
        }
        if (status.state() == State.READY) {
            missing(host, findings);
            metadata(status, findings);
        }
        if (foldersLeft > 0) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            foldersLeft + " folders for temporary files could not be removed.",
                            "Remove .palyra-tmp-* from the workspaces."));
        }
        return findings;
    }

    private static void missing(HostFacts host, List<Finding> findings) {
        if (!KernelNeeds.landlock(host)) {
            findings.add(
                    warning(
                            "Landlock 6 is missing, so Tier B refuses.",
                            KernelNeeds.LANDLOCK_REMEDY));
        }
        if (!KernelNeeds.seccomp(host)) {
            findings.add(
                    warning(
                            "Seccomp filters are missing, so Tier B refuses.",
                            KernelNeeds.SECCOMP_REMEDY));
        }
    }

    private static void metadata(BackendStatus status, List<Finding> findings) {
        String reason = status.facts().get(TierBProbe.REASON);
        if (reason != null) {
            findings.add(
                    warning(
                            "Commands in Tier B can change mode, owner and times of every file of"
                                    + " the gateway's user (metadata=open): "
                                    + reason,
                            "Use a kernel with Landlock and seccomp filters, let the gateway's"
                                    + " user trace its own processes (kernel.yama.ptrace_scope 0 or"
                                    + " 1), and run the gateway under no other seccomp supervisor."));
        }
    }

    /** As root the tier is off on purpose. */
    private static Severity severity(HostFacts host) {
        return host.effectiveUid() == 0 ? Severity.INFO : Severity.WARNING;
    }

    private static Finding warning(String message, String remedy) {
        return new Finding(Severity.WARNING, AREA, message, remedy);
    }
}
