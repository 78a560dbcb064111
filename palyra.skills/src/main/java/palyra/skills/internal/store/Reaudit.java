package palyra.skills.internal.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.model.SkillId;

/** Audits active skills again, since policies and checks change. Thread-safe. */
public final class Reaudit {
    private static final Logger LOG = LoggerFactory.getLogger(Reaudit.class);

    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final Auditor auditor;
    private final SkillLoader loader;
    private final ArtifactFiles files;
    private final LongSupplier clock;

    /** Takes its collaborators. */
    public Reaudit(
            AuthorizedChanges changes,
            ArtifactVerifier verifier,
            Auditor auditor,
            SkillLoader loader,
            ArtifactFiles files,
            LongSupplier clock) {
        this.changes = changes;
        this.verifier = verifier;
        this.auditor = auditor;
        this.loader = loader;
        this.files = files;
        this.clock = clock;
    }

    /** Returns whether the oldest audit of an active version is older than this. */
    public boolean due(long millis) {
        long now = clock.getAsLong();
        return changes.inventory().all().stream()
                .filter(SkillRecord::active)
                .anyMatch(record -> record.audit().atMillis() + millis <= now);
    }

    /**
     * Audits every active version, or those given; what fails goes into quarantine.
     *
     * @return reports by version, of those that could be read
     */
    public Map<SkillId, AuditReport> run(Set<SkillId> only) {
        loader.recordWaiting();
        Inventory inventory = changes.inventory();
        Map<SkillId, AuditReport> reports = new HashMap<>();
        for (SkillRecord record : inventory.all()) {
            boolean wanted = only.isEmpty() ? record.active() : only.contains(record.id());
            if (wanted) {
                audit(inventory, record, reports);
            }
        }
        note(reports);
        return reports;
    }

    private void audit(Inventory inventory, SkillRecord record, Map<SkillId, AuditReport> reports) {
        try {
            Artifact artifact = verifier.check(inventory.rows(), record);
            AuditReport report = auditor.audit(artifact);
            reports.put(record.id(), report);
            List<String> open = record.audit().open(report.reasons());
            if (!open.isEmpty() && record.active()) {
                loader.quarantine(record.id(), open.get(0), String.join(" ", report.faults()));
            }
        } catch (RefusedException e) {
            if (record.active()) {
                loader.quarantine(record.id(), e.reason(), e.getMessage());
            }
        }
    }

    private void note(Map<SkillId, AuditReport> reports) {
        if (reports.isEmpty()) {
            return;
        }
        long now = clock.getAsLong();
        changes.bySystem(
                inventory -> {
                    LedgerEdit edit = new LedgerEdit();
                    for (SkillRecord record : inventory.all()) {
                        AuditReport report = reports.get(record.id());
                        if (report != null) {
                            SkillRecord next =
                                    record.audit(record.audit().found(now, report.reasons()));
                            edit.put(next.row(), next.json());
                            if (!report.reasons().equals(record.audit().reasons())) {
                                edit.event(
                                        "skill_audited",
                                        AuthorizedChanges.event(AuthorizedChanges.SYSTEM, next)
                                                .set("report", report.json()));
                            }
                        }
                    }
                    return edit;
                });
    }

    /** Deletes files that no version needs. */
    public void sweep() {
        try {
            Set<String> keep =
                    changes.inventory().all().stream()
                            .map(record -> record.origin().artifactSha256())
                            .collect(Collectors.toSet());
            int gone = files.sweep(keep, clock.getAsLong());
            if (gone > 0) {
                LOG.info("Deleted {} unused files of skills.", gone);
            }
        } catch (IOException e) {
            LOG.warn("Unused files of skills could not be deleted.", e);
        }
    }
}
