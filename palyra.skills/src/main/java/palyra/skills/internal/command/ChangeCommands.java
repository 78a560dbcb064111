package palyra.skills.internal.command;

import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.store.ArtifactVerifier;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.CapabilityDiff;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.Lifecycle;
import palyra.skills.internal.store.SkillRecord;

/** {@code skills enable|disable|quarantine|remove|rollback|appeal}. */
final class ChangeCommands {
    private static final int LONGEST_NOTE = 500;

    private final AuthorizedChanges changes;
    private final Lifecycle lifecycle;
    private final ArtifactVerifier verifier;
    private final ReadCommands reading;

    ChangeCommands(
            AuthorizedChanges changes,
            Lifecycle lifecycle,
            ArtifactVerifier verifier,
            ReadCommands reading) {
        this.changes = changes;
        this.lifecycle = lifecycle;
        this.verifier = verifier;
        this.reading = reading;
    }

    private SkillsCommand command(
            String name,
            String action,
            String summary,
            String details,
            SkillsCommand.Body body,
            List<OptionSpec> options,
            PositionalSpec... more) {
        PositionalSpec[] positionals = new PositionalSpec[more.length + 1];
        positionals[0] = Specs.ID;
        System.arraycopy(more, 0, positionals, 1, more.length);
        return new SkillsCommand(
                Specs.of(name, action, summary, details, options, positionals),
                body,
                reading::candidates);
    }

    List<Command> all() {
        return List.of(
                command(
                        "enable",
                        "skill.enable",
                        "Approves a version and activates it",
                        "Shows what it may do and asks for a confirmation. The version that was in"
                                + " use until then is disabled.",
                        this::enable,
                        List.of(Specs.YES, Specs.OVERRIDE)),
                command(
                        "disable",
                        "skill.disable",
                        "Disables the active version",
                        "",
                        context ->
                                shown(
                                        context,
                                        lifecycle.disable(
                                                principal(context), record(context).id())),
                        List.of()),
                command(
                        "quarantine",
                        "skill.quarantine",
                        "Puts a version into quarantine and stops its calls",
                        "",
                        this::quarantine,
                        List.of(OptionSpec.value("reason", "TEXT", "Why"))),
                command(
                        "remove",
                        "skill.remove",
                        "Removes a version, or with --all every version of a skill",
                        "What the skill stored goes with its last version.",
                        this::remove,
                        List.of(Specs.YES, OptionSpec.flag("all", "Remove every version"))),
                command(
                        "rollback",
                        "skill.enable",
                        "Goes back to a version that was in use before",
                        "ID goes back to the highest such version below the present one.",
                        this::rollback,
                        List.of()),
                command(
                        "appeal",
                        "skill.appeal",
                        "Records an appeal against the quarantine of a version",
                        "",
                        this::appeal,
                        List.of(),
                        PositionalSpec.required("NOTE", "One sentence")));
    }

    private static Principal principal(CommandContext context) {
        return context.principal();
    }

    private SkillRecord record(CommandContext context) {
        return changes.inventory().resolve(context.arguments().positional(0).orElse(""));
    }

    private static int shown(CommandContext context, SkillRecord record) {
        context.output().fields(RecordFields.standing(record));
        return ExitCodes.OK;
    }

    private int enable(CommandContext context) throws Exception {
        Inventory inventory = changes.inventory();
        String given = context.arguments().positional(0).orElse("");
        SkillRecord record = inventory.resolve(given);
        List<SkillRecord> versions = inventory.versions(record.id().skill());
        if (given.indexOf('@') < 0) {
            record = versions.get(versions.size() - 1); // the newest waits for approval
        }
        List<String> lines =
                CapabilityDiff.lines(verifier.check(inventory.rows(), record).manifest());
        context.output().line(record.id() + " by " + record.origin().publisher() + ":");
        lines.forEach(line -> context.output().line("  " + line));
        Confirmation.require(context, "Put it into use?");
        String reason = context.arguments().option("override").orElse("");
        return shown(context, lifecycle.enable(principal(context), record.id(), note(reason)));
    }

    private static String note(String text) {
        Require.that(
                text.length() <= LONGEST_NOTE && text.chars().noneMatch(Character::isISOControl),
                "a note is one line of at most " + LONGEST_NOTE + " characters");
        return text;
    }

    private int quarantine(CommandContext context) {
        String reason = note(context.arguments().option("reason").orElse(""));
        return shown(
                context, lifecycle.quarantine(principal(context), record(context).id(), reason));
    }

    private int remove(CommandContext context) throws Exception {
        SkillRecord record = record(context);
        List<SkillRecord> versions = changes.inventory().versions(record.id().skill());
        boolean one = context.arguments().positional(0).orElse("").indexOf('@') >= 0;
        boolean all = context.arguments().flag("all");
        Require.that(!one || !all, "--all goes with an id without a version");
        Require.that(
                one || all || versions.size() == 1,
                record.id().skill()
                        + " has "
                        + versions.size()
                        + " versions; name one as ID@VERSION, or give --all");
        List<SkillRecord> gone = all ? versions : List.of(record);
        gone.forEach(each -> context.output().line("- " + each.id()));
        Confirmation.require(context, "Remove it for good?");
        lifecycle.remove(principal(context), gone);
        context.output()
                .fields(
                        Map.of(
                                "removed",
                                gone.stream().map(each -> each.id().toString()).toList()));
        return ExitCodes.OK;
    }

    private int rollback(CommandContext context) {
        String given = context.arguments().positional(0).orElse("");
        int at = given.indexOf('@');
        String skill = at < 0 ? given : given.substring(0, at);
        String version = at < 0 ? "" : given.substring(at + 1);
        return shown(context, lifecycle.rollback(principal(context), skill, version));
    }

    private int appeal(CommandContext context) {
        String text = note(context.arguments().positional(1).orElse(""));
        Require.text(text, "the note");
        SkillRecord record = lifecycle.appeal(principal(context), record(context).id(), text);
        context.output().fields(Map.of("appeals", record.appeals()));
        return ExitCodes.OK;
    }
}
