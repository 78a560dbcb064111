package palyra.skills.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.Installer;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.SkillRecord;

/** {@code skills install|update}. */
final class InstallCommands {
    private final AuthorizedChanges changes;
    private final Installer installer;
    private final ArtifactFiles files;

    InstallCommands(AuthorizedChanges changes, Installer installer, ArtifactFiles files) {
        this.changes = changes;
        this.installer = installer;
        this.files = files;
    }

    List<Command> all() {
        return List.of(
                new SkillsCommand(
                        Specs.of(
                                "install",
                                "skill.install",
                                "Installs the first version of a skill, into quarantine",
                                "Everything is checked before anything is written. An operator"
                                        + " approves it with skills enable.",
                                List.of(Specs.YES, Specs.OVERRIDE),
                                Specs.FILE),
                        context -> install(context, false)),
                new SkillsCommand(
                        Specs.of(
                                "update",
                                "skill.install",
                                "Installs a newer version and, once confirmed, puts it into use",
                                "Shows what the new version may do that the present one may not."
                                        + " It is put into use when a version was in use.",
                                List.of(
                                        Specs.YES,
                                        Specs.OVERRIDE,
                                        OptionSpec.flag("no-enable", "Leave it in quarantine")),
                                Specs.FILE),
                        context -> install(context, true)));
    }

    private int install(CommandContext context, boolean update) throws Exception {
        String source = context.arguments().positional(0).orElse("");
        String override = context.arguments().option("override").orElse("");
        byte[] file = files.read(context, source);
        Installer.Plan plan = installer.plan(file, update);
        SkillId id = plan.artifact().manifest().id();
        if (plan.present()) {
            context.output().note(id + " is installed already; at most its file was repaired.");
            SkillRecord present =
                    installer.install(context.principal(), plan, name(source), false, override);
            context.output().fields(RecordFields.standing(present));
            next(context, present);
            return ExitCodes.OK;
        }
        boolean inUse = changes.inventory().active(id.skill()).isPresent();
        boolean enable = update && inUse && !context.arguments().flag("no-enable");
        describe(context, plan);
        Confirmation.require(context, enable ? "Install and activate it?" : "Install it?");
        SkillRecord record =
                installer.install(context.principal(), plan, name(source), enable, override);
        Map<String, Object> fields = new LinkedHashMap<>(RecordFields.standing(record));
        fields.put("publisher", record.origin().publisher());
        fields.put("trust", record.origin().decision());
        fields.put("artifactSha256", record.origin().artifactSha256());
        fields.put("diff", plan.diff());
        context.output().fields(fields);
        next(context, record);
        return ExitCodes.OK;
    }

    private void next(CommandContext context, SkillRecord record) {
        Inventory inventory = changes.inventory();
        String step = NextStep.step(inventory, record);
        if (!step.isEmpty()) {
            context.output().note(step);
        }
    }

    private static String name(String source) {
        String last = source.substring(source.lastIndexOf('/') + 1);
        String clean = last.replaceAll("[^\\x20-\\x7e]", "?");
        return clean.length() > 100 ? clean.substring(0, 100) : clean;
    }

    private static void describe(CommandContext context, Installer.Plan plan) {
        context.output()
                .line(
                        plan.artifact().manifest().id()
                                + " by "
                                + plan.artifact().manifest().publisher()
                                + ", key "
                                + plan.artifact().signature().keyId()
                                + " ("
                                + plan.decision().text()
                                + "):");
        plan.diff().forEach(line -> context.output().line("  " + line));
        for (String fault : plan.report().faults()) {
            context.output().line("  ! " + fault);
        }
    }
}
