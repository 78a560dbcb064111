package palyra.skills.internal.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.store.ArtifactVerifier;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.CapabilityDiff;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.SkillRecord;

/** {@code skills list|info|check}. */
final class ReadCommands {
    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final NextStep next;

    ReadCommands(AuthorizedChanges changes, ArtifactVerifier verifier, NextStep next) {
        this.changes = changes;
        this.verifier = verifier;
        this.next = next;
    }

    List<Command> all() {
        return List.of(
                new SkillsCommand(
                        Specs.of(
                                "list",
                                "skill.list",
                                "Lists installed versions and their states",
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
                                "Checks file, signature, trust, revocations and the required Palyra version",
                                "Without an id every installed version is checked. Nothing is"
                                        + " changed: what fails is refused at its next use anyway.",
                                List.of(),
                                PositionalSpec.optional(
                                        "ID[@VERSION]", "A skill, or one version of it")),
                        this::check,
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
        Inventory inventory = changes.inventory();
        List<List<String>> rows = new ArrayList<>();
        for (SkillRecord record : inventory.all()) {
            rows.add(
                    List.of(
                            record.id().skill(),
                            record.id().version(),
                            record.standing().state().text(),
                            next.reasons(record),
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
        inventory.all().forEach(record -> notes(context, inventory, record));
        return ExitCodes.OK;
    }

    /** Prints the next step for a version, and why an active one does not run. */
    private void notes(CommandContext context, Inventory inventory, SkillRecord record) {
        String step = NextStep.step(inventory, record);
        if (!step.isEmpty()) {
            context.output().note(record.id() + ": " + step);
        }
        next.objection(record)
                .filter(why -> record.active())
                .ifPresent(why -> context.output().note(why.getMessage()));
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
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("palyra", record.origin().compat().range());
        more.put("gateway", next.gateway().text());
        more.putAll(file(inventory, record));
        more.put("next", NextStep.step(inventory, record));
        context.output().fields(RecordFields.record(inventory, record, more));
        return ExitCodes.OK;
    }

    private Map<String, Object> file(Inventory inventory, SkillRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        try {
            Artifact artifact = verifier.check(inventory.rows(), record);
            fields.put("check", next.objection(record).map(ReadCommands::failure).orElse("ok"));
            fields.put("capabilities", CapabilityDiff.lines(artifact.manifest()));
            fields.put("warnings", artifact.manifest().warnings());
        } catch (RefusedException e) {
            fields.put("check", failure(e));
        }
        return fields;
    }

    private static String failure(RefusedException why) {
        return why.reason() + ": " + why.getMessage();
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
}
