package palyra.skills.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.SkillsSettings;

/** Reports the states of installed skills, as of the last look. Thread-safe. */
public final class SkillReport implements FindingSource, MetricSource {
    private static final String AREA = "skills";

    private final AuthorizedChanges changes;
    private final SkillLoader loader;
    private final Supplier<SkillsSettings> settings;
    private final LongSupplier clock;
    private volatile Look last = new Look(List.of(), List.of());

    /** The report at one moment. */
    private record Look(List<SkillRecord> records, List<Finding> findings) {}

    /** Takes its collaborators. */
    public SkillReport(
            AuthorizedChanges changes,
            SkillLoader loader,
            Supplier<SkillsSettings> settings,
            LongSupplier clock) {
        this.changes = changes;
        this.loader = loader;
        this.settings = settings;
        this.clock = clock;
    }

    /** Updates the report; called periodically, since readers of the report must not wait. */
    public void look() {
        if (!changes.reachable()) {
            return; // who is away is found by others
        }
        List<Finding> findings = new ArrayList<>();
        List<SkillRecord> records = last.records();
        try {
            Inventory inventory = changes.inventory();
            records = inventory.all();
            for (SkillRecord record : records) {
                about(record, findings);
                addEngineFindings(record, inventory.engine(record.id().skill()), findings);
            }
        } catch (RefusedException e) {
            records = List.of();
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            AREA,
                            e.getMessage() + " (" + e.reason() + ")",
                            "Find out who wrote into the journal; then restore a backup, or run"
                                    + " palyra skills trust reset."));
        } catch (PalyraException e) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            "The states of skills are unknown: " + e.getMessage(),
                            ""));
        }
        last = new Look(records, List.copyOf(findings));
    }

    private void about(SkillRecord record, List<Finding> findings) {
        if (record.standing().state() == SkillState.QUARANTINED) {
            boolean waits = record.standing().reason().equals(SkillRecord.NOT_APPROVED);
            findings.add(
                    new Finding(
                            waits ? Finding.Severity.INFO : Finding.Severity.WARNING,
                            AREA,
                            "The skill "
                                    + record.id()
                                    + " is in quarantine ("
                                    + record.standing().reason()
                                    + ").",
                            waits
                                    ? "Approve it with palyra skills enable " + record.id() + "."
                                    : "Look at it with palyra skills info " + record.id() + "."));
        }
        long interval = settings.get().reauditMillis();
        long age = clock.getAsLong() - record.audit().atMillis();
        if (record.active() && interval > 0 && age > 2 * interval) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            "The audit of " + record.id() + " is overdue.",
                            "See whether policies and journal work, then run palyra skills audit."));
        }
    }

    /** Reports a skill's own engine for as long as the operator's choice is in force. */
    private static void addEngineFindings(
            SkillRecord record, String engine, List<Finding> findings) {
        if (record.active() && !engine.isEmpty()) {
            findings.add(
                    new Finding(
                            Finding.Severity.INFO,
                            AREA,
                            "The skill "
                                    + record.id()
                                    + " runs on the engine "
                                    + engine
                                    + ", because an operator marked it as trusted for it.",
                            "Take that back with palyra skills trust unmark "
                                    + record.id().skill()
                                    + "."));
        }
    }

    @Override
    public List<Finding> findings() {
        return last.findings();
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                gauge("active", "Versions of skills that are active.", SkillState.ACTIVE),
                gauge("quarantined", "Versions of skills in quarantine.", SkillState.QUARANTINED),
                gauge("disabled", "Versions of skills that are disabled.", SkillState.DISABLED),
                Metric.counter(
                        "palyra_skills_loads_total", "Loads of skills.", (double) loader.loads()),
                Metric.counter(
                        "palyra_skills_load_refusals_total",
                        "Refused loads of skills.",
                        (double) loader.refusals()));
    }

    private Metric gauge(String name, String help, SkillState state) {
        long count = last.records().stream().filter(r -> r.standing().state() == state).count();
        return Metric.gauge("palyra_skills_" + name, help, (double) count);
    }
}
