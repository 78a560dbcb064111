package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.HostFacts;

/** Findings about Tier C. Stateless. */
final class TierCFindings {
    private static final String AREA = "sandbox tier c";

    private TierCFindings() {}

    static List<Finding> of(BackendStatus status, HostFacts host) {
        List<Finding> findings = new ArrayList<>();
        if (status.state() == State.REFUSING) {
            // As root the tier is off on purpose.
            Severity severity = host.effectiveUid() == 0 ? Severity.INFO : Severity.WARNING;
            findings.add(new Finding(severity, AREA, status.cause(), status.remedy()));
        }
        if (status.state() != State.READY) {
            return findings;
        }
        if ("none".equals(status.facts().get("seccomp"))) {
            findings.add(
                    warning("Seccomp filters are missing, so Tier C refuses.", Remedies.NO_FILTER));
        }
        if (host.landlockAbi() < Network.PORTS_ABI) {
            findings.add(
                    warning(
                            "Landlock 4 is missing, so Tier C refuses every egress mode but strict.",
                            Remedies.NO_PORTS));
        }
        if ("none".equals(status.facts().get("socat.path"))) {
            findings.add(
                    warning(
                            "socat is missing, so strict egress cannot have an allow-list.",
                            Remedies.INSTALL_SOCAT));
        }
        return findings;
    }

    private static Finding warning(String message, String remedy) {
        return new Finding(Severity.WARNING, AREA, message, remedy);
    }
}
