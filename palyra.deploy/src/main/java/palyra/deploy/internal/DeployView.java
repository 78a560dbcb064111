package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;

/**
 * State after the last round. Immutable.
 *
 * @param active whether the folder is watched
 * @param place path of the folder
 * @param why reason why it is not watched; empty when it is
 * @param rows every file
 * @param pins all pins
 * @param general problems that concern no single file
 */
record DeployView(
        boolean active,
        String place,
        String why,
        List<Row> rows,
        List<PinSet.Entry> pins,
        List<Finding> general) {
    static final String AREA = "deploy";
    static final DeployView NOTHING =
            new DeployView(false, "", "It has not been read yet.", List.of(), List.of(), List.of());

    DeployView {
        rows = List.copyOf(rows);
        pins = List.copyOf(pins);
        general = List.copyOf(general);
    }

    /** Returns the same files with problems that prevent a new round. */
    DeployView with(DeploySettings settings, List<Finding> found) {
        return new DeployView(
                settings.active(), settings.folder().toString(), settings.why(), rows, pins, found);
    }

    Optional<Row> row(String file) {
        return rows.stream().filter(row -> row.file().equals(file)).findFirst();
    }

    long count(Row.State... states) {
        List<Row.State> wanted = List.of(states);
        return rows.stream().filter(row -> wanted.contains(row.state())).count();
    }

    /** Returns the findings, worst first. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(general);
        rows.forEach(row -> finding(row).ifPresent(findings::add));
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        return findings;
    }

    private static Optional<Finding> finding(Row row) {
        return switch (row.state()) {
            case ACTIVE, SETTLING, CONFIGURATION -> Optional.empty();
            case WAITING ->
                    row.explanation().isEmpty()
                            ? Optional.empty()
                            : Optional.of(of(row, Severity.INFO));
            case SUPERSEDED -> Optional.of(of(row, Severity.INFO));
            case REFUSED, INACTIVE -> Optional.of(of(row, Severity.WARNING));
            case FAILED -> Optional.of(of(row, Severity.ERROR));
        };
    }

    private static Finding of(Row row, Severity severity) {
        return new Finding(severity, AREA, row.file() + ": " + row.explanation(), row.remedy());
    }
}
