package palyra.skills.internal.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.offline.Describe;
import palyra.skills.internal.store.CapabilityDiff;
import palyra.skills.internal.store.Changes;
import palyra.skills.internal.store.Checker;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.Reaudit;
import palyra.skills.internal.store.SkillRecord;

/** {@code skills list|info|check|audit}. */
final class ReadCommands {
    private final Changes changes;
    private final Checker checker;
    private final Auditor auditor;
    private final Reaudit reaudit;
    private final CallerFiles files;

    ReadCommands(
            Changes changes, Checker checker, Auditor auditor, Reaudit reaudit, CallerFiles files) {
        this.changes = changes;
        this.checker = checker;
        this.auditor = auditor;
        this.reaudit = reaudit;
        this.files = files;
    }

    List<Command> all() {
        return List.of(
                new SkillsCommand(
                        Specs.of(
                                "list",
                                "skill.list",
                                "Lists installed versions and how they stand",
                                "",
                                List.of()),
                        this::list),
                new SkillsCommand(
                        Specs.of(
                                "info",
                                "skill.read",
                                "Shows a version: trust, state, tools, capabilities",
                                "",
                                List.of(),
                                Specs.ID),
                        this::info,
                        this::candidates),
                new SkillsCommand(
                        Specs.of(
                                "check",
                                "skill.read",
                                "Checks file, signature, trust and revocations now",
                                "Without an id every installed version is checked. Nothing is"
                                        + " changed: what fails is refused at its next use anyway.",
                                List.of(),
                                PositionalSpec.optional(
                                        "ID[@VERSION]", "A skill, or one version of it")),
                        this::check,
                        this::candidates),
                new SkillsCommand(
                        Specs.of(
                                "audit",
                                "skill.quarantine",
                                "Audits a file, or installed versions",
                                "An active version that fails goes into quarantine. Without an id"
                                        + " every active version is audited.",
                                List.of(
                                        OptionSpec.value(
                                                "file",
                                                "FILE",
                                                "Audit this file, or - for standard input")),
                                PositionalSpec.optional(
                                        "ID[@VERSION]", "A skill, or one version of it")),
                        this::audit,
                        this::candidates));
    }

    /** Returns ids that begin so. */
    List<String> candidates(String prefix) {
        List<String> all = new ArrayList<>();
        for (SkillRecord record : changes.inventory().all()) {
            for (String each : List.of(record.id().skill(), record.id().toString())) {
                if (each.startsWith(prefix) && !all.contains(each)) {
                    all.add(each);
                }
            }
        }
        return all;
    }

    private int list(CommandContext context) {
        List<List<String>> rows = new ArrayList<>();
        for (SkillRecord record : changes.inventory().all()) {
            rows.add(
                    List.of(
                            record.id().skill(),
                            record.id().version(),
                            record.standing().state().text(),
                            record.standing().reason(),
                            record.origin().publisher(),
                            record.origin().decision(),
                            audited(record)));
        }
        context.output()
                .table(
                        List.of(
                                "Skill",
                                "Version",
                                "State",
                                "Reason",
                                "Publisher",
                                "Trust",
                                "Audited"),
                        rows);
        return ExitCodes.OK;
    }

    private static String audited(SkillRecord record) {
        return record.audit().atMillis() == 0
                ? "never"
                : Instant.ofEpochMilli(record.audit().atMillis()).toString();
    }

    private static String id(CommandContext context) {
        return context.arguments().positional(0).orElse("");
    }

    private int info(CommandContext context) {
        Inventory inventory = changes.inventory();
        SkillRecord record = inventory.resolve(id(context));
        context.output().fields(Shown.record(inventory, record, file(inventory, record)));
        return ExitCodes.OK;
    }

    private Map<String, Object> file(Inventory inventory, SkillRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        try {
            Artifact artifact = checker.check(inventory.rows(), record);
            fields.put("check", "ok");
            fields.put("capabilities", CapabilityDiff.lines(artifact.manifest()));
            fields.put("warnings", artifact.manifest().warnings());
        } catch (RefusedException e) {
            fields.put("check", e.reason() + ": " + e.getMessage());
        }
        return fields;
    }

    private int check(CommandContext context) {
        Inventory inventory = changes.inventory();
        List<SkillRecord> wanted =
                id(context).isEmpty() ? inventory.all() : List.of(inventory.resolve(id(context)));
        List<List<String>> rows = new ArrayList<>();
        boolean good = true;
        for (SkillRecord record : wanted) {
            Map<String, Object> found = file(inventory, record);
            good &= found.get("check").equals("ok");
            rows.add(
                    List.of(
                            record.id().toString(),
                            record.standing().state().text(),
                            found.get("check").toString()));
        }
        context.output().table(List.of("Skill", "State", "Check"), rows);
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int audit(CommandContext context) throws Exception {
        String file = context.arguments().option("file").orElse("");
        Require.that(file.isEmpty() || id(context).isEmpty(), "give an id or --file, not both");
        if (!file.isEmpty()) {
            return show(context, auditor.audit(Artifact.verify(files.read(context, file))));
        }
        Set<SkillId> only =
                id(context).isEmpty()
                        ? Set.of()
                        : Set.of(changes.inventory().resolve(id(context)).id());
        List<SkillRecord> before = changes.inventory().all();
        Map<SkillId, AuditReport> reports = reaudit.run(only);
        if (only.size() == 1 && reports.size() == 1) {
            return show(context, reports.values().iterator().next());
        }
        List<List<String>> rows = new ArrayList<>();
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
                                Boolean.toString(passed),
                                report == null
                                        ? unread(now, record)
                                        : String.join(", ", report.reasons())));
            }
        }
        context.output().table(List.of("Skill", "Passed", "Reasons"), rows);
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Returns why a version could not be audited at all. */
    private String unread(Inventory now, SkillRecord record) {
        try {
            checker.check(now.rows(), record);
            return "";
        } catch (RefusedException e) {
            return e.reason();
        }
    }

    static int show(CommandContext context, AuditReport report) {
        if (context.json()) {
            context.output().fields(Shown.report(report));
        } else {
            context.output()
                    .table(
                            List.of("Check", "Result", "Subject", "Message"),
                            Describe.checks(report));
            context.output().fields(Describe.report(report));
        }
        return report.passed() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
