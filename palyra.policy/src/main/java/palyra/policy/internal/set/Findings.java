package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;

/** Makes the findings about policy sets. Stateless. */
final class Findings {
    private static final String AREA = "policy";
    private static final int MOST_PROBLEMS = 10;

    private Findings() {}

    static List<Finding> of(SetStatus status, String nativeAbsence, int eventsWaiting) {
        List<Finding> findings = new ArrayList<>();
        if (status.current().isEmpty()) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            AREA,
                            "No policy set is in force, so everything is denied: " + reason(status),
                            "Correct the policies and run palyra policy reload."));
        }
        status.refused().ifPresent(report -> refused(report, status, findings));
        status.warnings().stream()
                .limit(MOST_PROBLEMS)
                .forEach(
                        problem ->
                                findings.add(
                                        new Finding(
                                                Severity.WARNING,
                                                AREA,
                                                PolicyProblems.render(problem),
                                                problem.help())));
        if (!status.trouble().isEmpty()) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            AREA,
                            status.trouble(),
                            "Find out who changed it; palyra policy reload ends this message."));
        }
        if (!nativeAbsence.isEmpty()) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            "The native Cedar engine is not there: " + nativeAbsence,
                            "Policies in force decide on; changed ones cannot be checked, and"
                                    + " sensitive permissions are not confirmed."));
        }
        if (!status.waiting().isEmpty()) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            "The policies in force were chosen by rollback or apply; the saved"
                                    + " files differ and wait.",
                            "Run palyra policy reload to bring the files into force."));
        }
        if (eventsWaiting > 0) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            eventsWaiting + " events about policies wait for the journal.",
                            ""));
        }
        return findings;
    }

    private static void refused(PolicyReport report, SetStatus status, List<Finding> findings) {
        boolean unconfirmed = report.outcome() == Outcome.NEEDS_CONFIRMATION;
        findings.add(
                new Finding(
                        unconfirmed ? Severity.WARNING : Severity.ERROR,
                        AREA,
                        report.summary(),
                        unconfirmed
                                ? "Confirm the loss, or put the missing policies back."
                                : "Correct the files; they are read again when they are saved."
                                        + (status.current().isPresent()
                                                ? " The last good set is in force."
                                                : "")));
        report.problems().stream()
                .filter(PolicyProblem::error)
                .limit(MOST_PROBLEMS)
                .forEach(
                        problem ->
                                findings.add(
                                        new Finding(
                                                Severity.ERROR,
                                                AREA,
                                                PolicyProblems.render(problem),
                                                problem.help())));
    }

    private static String reason(SetStatus status) {
        return status.refused()
                .map(PolicyReport::summary)
                .orElse("The policies are still being read and checked.");
    }

    /**
     * Returns, as a sentence, why no set is in force, or what the loader waits for.
     *
     * @param millis since the start
     */
    static String absence(SetStatus status, long millis) {
        return status.refused()
                .map(
                        report ->
                                "No policy set is in force: "
                                        + report.summary()
                                        + " Correct the policies and run palyra policy reload.")
                .orElse(
                        "Waiting for the first policy set, which is being read and checked: "
                                + millis
                                + " ms so far.");
    }
}
