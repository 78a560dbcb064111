package palyra.gateway.internal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.core.ops.Finding;
import palyra.api.run.RunState;
import palyra.gateway.internal.engine.Setbacks;
import palyra.shared.gate.Gate;

/** What the engine could not do, for operators: what is tried again, and what was set aside. */
final class Stuck {
    private static final int MOST = 20;

    /** A first failure may pass before anybody could act. */
    private static final int TOLD_AFTER = 2;

    private Stuck() {}

    static List<Finding> findings(Gate<Journal> journal, List<Setbacks.Setback> setbacks) {
        List<Finding> findings = new ArrayList<>();
        setbacks.stream()
                .filter(one -> one.attempts() >= TOLD_AFTER)
                .limit(MOST)
                .forEach(one -> findings.add(finding(one)));
        quarantined(journal).forEach(run -> findings.add(finding(run)));
        return findings;
    }

    private static Finding finding(Setbacks.Setback setback) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                setback.kind().name().charAt(0)
                        + setback.kind().name().substring(1).toLowerCase(Locale.ROOT)
                        + " '"
                        + setback.id()
                        + "' failed "
                        + setback.attempts()
                        + " times and is tried again in "
                        + (setback.nextTryMillis() + 999) / 1_000
                        + " s: "
                        + setback.reason(),
                "Cure what the reason says; it is tried again by itself.");
    }

    private static Finding finding(RunRow run) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                "Run " + run.runId() + " is QUARANTINED: " + run.reason(),
                "palyra run retry " + run.runId() + ", or palyra run cancel " + run.runId());
    }

    private static List<RunRow> quarantined(Gate<Journal> journal) {
        try {
            return journal.isPresent()
                    ? journal.call(j -> j.runsIn(EnumSet.of(RunState.QUARANTINED), "", "", MOST))
                    : List.of();
        } catch (PalyraException e) {
            return List.of(); // the journal tells of itself
        }
    }
}
