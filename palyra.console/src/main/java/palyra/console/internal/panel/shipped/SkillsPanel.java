package palyra.console.internal.panel.shipped;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** Skills, their states, and whose keys are trusted. */
final class SkillsPanel extends CommandPanel {
    private static final String HOME = "/console/panel/skills/";

    SkillsPanel(Commands commands) {
        super(
                new PanelSpec("skills", "Skills", PanelSpec.Section.CONTROL, 20, "skill.list"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        return request.path().isEmpty() ? list(request) : version(request);
    }

    private PanelPage list(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("skills list")),
                        "No skill is installed. palyra skills install FILE puts one into"
                                + " quarantine, from where a person enables it.",
                        "skill",
                        HOME));
        blocks.add(new Block.Heading("Trust"));
        blocks.addAll(
                orNotice(
                        () ->
                                List.of(
                                        Documents.list(
                                                ask(
                                                        request.principal(),
                                                        CommandWords.of("skills trust")
                                                                .argument("list")),
                                                "No publisher is trusted or revoked yet.",
                                                "",
                                                ""))));
        return PanelPage.of(
                "Skills", "Tools in WebAssembly, each with the capabilities it was given.", blocks);
    }

    private PanelPage version(PanelRequest request) {
        String skill = request.path();
        List<Block> blocks =
                new ArrayList<>(
                        Documents.blocks(
                                ask(
                                        request.principal(),
                                        CommandWords.of("skills info").argument(skill))));
        blocks.add(
                sensitive(
                        "enable",
                        "Enable",
                        "skill.enable",
                        "Put this version into use with the capabilities above",
                        optional("override", "Reason to accept failed checks", "")));
        blocks.add(
                button(
                        "disable",
                        "Disable",
                        "skill.disable",
                        "Stop offering the tools of this skill"));
        blocks.add(
                button(
                        "quarantine",
                        "Quarantine",
                        "skill.quarantine",
                        "",
                        Block.Field.line("reason", "Reason")));
        return PanelPage.of("Skill " + skill, "", blocks);
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        CommandWords words = CommandWords.of("skills " + given.form());
        switch (given.form()) {
            case "enable" -> words.flag("yes").option("override", given.field("override"));
            case "quarantine" -> words.option("reason", given.field("reason"));
            default -> {}
        }
        return change(given, "", given.path(), words.argument(given.path()));
    }
}
