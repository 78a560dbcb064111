package palyra.skills.internal.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.offline.ArtifactFields;
import palyra.skills.internal.store.ArtifactVerifier;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.Reaudit;
import palyra.skills.internal.store.SkillRecord;

/** {@code skills audit}: audits a file, one version, or all active versions. */
final class AuditCommand {
    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final Auditor auditor;
    private final Reaudit reaudit;
    private final ArtifactFiles files;

    AuditCommand(
            AuthorizedChanges changes,
            ArtifactVerifier verifier,
            Auditor auditor,
            Reaudit reaudit,
            ArtifactFiles files) {
        this.changes = changes;
        this.verifier = verifier;
        this.auditor = auditor;
        this.reaudit = reaudit;
        this.files = files;
    }

    SkillsCommand command(ReadCommands reading) {
        return new SkillsCommand(
                Specs.of(
                        "audit",
                        "skill.quarantine",
                        "Audits a file, or installed versions",
                        "An active version that fails goes into quarantine. Without an id every"
                                + " active version is audited.",
                        List.of(
                                OptionSpec.value(
                                        "file",
                                        "FILE",
                                        "Audit this file, or - for standard input")),
                        PositionalSpec.optional("ID[@VERSION]", "A skill, or one version of it")),
                this::audit,
                reading::candidates);
    }

    private int audit(CommandContext context) throws Exception {
        String id = context.arguments().positional(0).orElse("");
        String file = context.arguments().option("file").orElse("");
        Require.that(file.isEmpty() || id.isEmpty(), "give an id or --file, not both");
        if (!file.isEmpty()) {
            return show(context, auditor.audit(Artifact.verify(files.read(context, file))));
        }
        Set<SkillId> only = id.isEmpty() ? Set.of() : Set.of(changes.inventory().resolve(id).id());
        List<SkillRecord> before = changes.inventory().all();
        Map<SkillId, AuditReport> reports = reaudit.run(only);
        if (only.size() == 1 && reports.size() == 1) {
            return show(context, reports.values().iterator().next());
        }
        List<List<?>> rows = new ArrayList<>();
        boolean good = true;
        Inventory now = changes.inventory();
        for (SkillRecord record : before) {
            if (only.isEmpty() ? record.active() : only.contains(record.id())) {
                AuditReport report = reports.get(record.id());
                boolean passed = report != null && report.passed();
                good &= passed;
                rows.add(
                        List.of(
                                record.id().toString(),
                                passed,
                                report == null ? List.of(unread(now, record)) : report.reasons()));
            }
        }
        context.output().table(List.of("Skill", "Passed", "Reasons"), rows);
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Returns why a version could not be audited at all. */
    private String unread(Inventory now, SkillRecord record) {
        try {
            verifier.check(now.rows(), record);
            return "";
        } catch (RefusedException e) {
            return e.reason();
        }
    }

    private static int show(CommandContext context, AuditReport report) {
        if (context.json()) {
            context.output().fields(RecordFields.report(report));
        } else {
            context.output()
                    .table(
                            List.of("Check", "Result", "Subject", "Message"),
                            ArtifactFields.checks(report));
            context.output().fields(ArtifactFields.report(report));
        }
        return report.passed() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
