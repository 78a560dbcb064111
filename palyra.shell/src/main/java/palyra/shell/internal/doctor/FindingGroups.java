package palyra.shell.internal.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.shared.files.MediumFailure;

/** Makes one cause one finding: what only follows from another finding is said under that one. */
final class FindingGroups {
    private static final String JOURNAL = "journal";

    /** What is offered only once the journal is open is absent while it is stopped. */
    private static final String SERVICES = "services";

    /** Areas in which a part that is absent is explained. */
    private static final Set<String> WIRING = Set.of("bundles", "components", SERVICES);

    /** Readiness checks that fail when a part is absent. */
    private static final Set<String> PRESENCE =
            Set.of(JOURNAL, "keys", "access", "gateway", "model", "vault");

    private FindingGroups() {}

    /**
     * Returns the findings, where those that only repeat why the journal does not write are one
     * line of the journal's own.
     *
     * @param journal how the journal is; empty when it is absent
     * @param full the folder whose medium is full, as the journal says; empty when it does not
     */
    static List<Finding> fold(
            List<Finding> findings, Optional<JournalStatus> journal, Optional<Path> full) {
        String why =
                journal.filter(status -> status.state() != JournalStatus.State.OPEN)
                        .map(JournalStatus::detail)
                        .orElse("");
        Optional<Finding> cause =
                findings.stream()
                        .filter(each -> isError(each, JOURNAL) && each.message().contains(why))
                        .findFirst();
        if (why.isEmpty() || cause.isEmpty()) {
            return findings;
        }
        boolean stopped = journal.get().state() == JournalStatus.State.STOPPED;
        List<Finding> kept = new ArrayList<>();
        Set<String> affected = new TreeSet<>();
        for (Finding each : findings) {
            boolean waits = stopped && each.area().equals(SERVICES);
            if (!each.equals(cause.get()) && (waits || follows(each.message(), why, full))) {
                affected.add(each.area());
            } else {
                kept.add(each);
            }
        }
        affected.remove(JOURNAL);
        kept.replaceAll(each -> each.equals(cause.get()) ? affecting(each, affected) : each);
        return kept;
    }

    private static boolean follows(String message, String why, Optional<Path> full) {
        return message.contains(why)
                || full.filter(folder -> MediumFailure.tellsOfNoSpace(message, folder)).isPresent();
    }

    private static Finding affecting(Finding cause, Set<String> areas) {
        return areas.isEmpty()
                ? cause
                : new Finding(
                        cause.severity(),
                        cause.area(),
                        cause.message() + " This also affects: " + String.join(", ", areas) + ".",
                        cause.remedy());
    }

    /**
     * Returns the failed readiness checks that no finding explains: by name, each with its
     * sentences.
     */
    static Map<String, String> unexplained(Map<String, String> notReady, List<Finding> findings) {
        boolean wiring = WIRING.stream().anyMatch(area -> hasError(findings, area));
        Map<String, String> left = new TreeMap<>(notReady);
        left.keySet()
                .removeIf(
                        check -> hasError(findings, check) || (wiring && PRESENCE.contains(check)));
        return left;
    }

    private static boolean hasError(List<Finding> findings, String area) {
        return findings.stream().anyMatch(each -> isError(each, area));
    }

    /** Returns whether a finding tells of a part that is absent, or of the journal. */
    static boolean isAbsence(Finding finding) {
        return WIRING.contains(finding.area()) && finding.severity() == Severity.ERROR
                || isError(finding, JOURNAL);
    }

    private static boolean isError(Finding finding, String area) {
        return finding.severity() == Severity.ERROR && finding.area().equals(area);
    }
}
