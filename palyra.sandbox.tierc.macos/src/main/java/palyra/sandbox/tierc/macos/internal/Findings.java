package palyra.sandbox.tierc.macos.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.BackendStatus;

/** What an operator should know of the backend. */
final class Findings {
    private static final String AREA = "sandbox";

    private Findings() {}

    /** Returns the findings on what a probe found, worst first. */
    static List<Finding> of(Probe.Found found) {
        BackendStatus status = found.status();
        List<Finding> findings = new ArrayList<>();
        if (status.state() == BackendStatus.State.REFUSING) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            "Tier C of macOS refuses every command: " + status.cause(),
                            status.remedy()));
            return findings;
        }
        if (found.reading().isPresent() && found.reading().get() == Reading.BROAD) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            "Commands of Tier C may read the system broadly, since the profile"
                                    + " strict-read does not work on this host.",
                            "Keep secrets in home folders, which stay closed."));
        }
        findings.add(
                new Finding(
                        Severity.INFO,
                        AREA,
                        "The profile of Tier C on macOS is verified by an evaluator, not run on"
                                + " hardware by its authors.",
                        "Try it with commands of your own before you rely on it."));
        return findings;
    }
}
