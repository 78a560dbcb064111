package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.CommandContext;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.tool.LoadedTool;

/** Finds the tool of an operator's call: in a module, an artifact or an installed skill. */
final class ToolFinder {
    private final ActiveSkills skills;
    private final GatewayVersion gateway;

    ToolFinder(ActiveSkills skills, GatewayVersion gateway) {
        this.skills = skills;
        this.gateway = gateway;
    }

    /**
     * Returns the tool.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT, DENIED, CORRUPT
     */
    LoadedTool of(CommandContext context) throws IOException {
        String given = context.arguments().positional(0).orElse("");
        Optional<String> tool = context.arguments().option("tool");
        List<String> grants = context.arguments().options().getOrDefault("grant", List.of());
        if (ModuleFile.isFile(given)) {
            return ofFile(ModuleFile.bytes(context, given), tool, GrantOptions.read(grants));
        }
        Require.that(
                grants.isEmpty(),
                "--grant goes with a file only; an installed skill has the grants of its manifest");
        LoadedSkill skill = skills.load(id(given));
        return LoadedTool.of(skill, tool.orElseGet(() -> onlyTool(skill)));
    }

    private LoadedTool ofFile(byte[] bytes, Optional<String> tool, SkillGrants named) {
        if (ModuleFile.isArtifact(bytes)) {
            LoadedSkill skill = tried(bytes, named);
            return LoadedTool.of(skill, tool.orElseGet(() -> onlyTool(skill)));
        }
        ModuleFile.requireModule(bytes);
        return LoadedTool.of(ModuleFile.skill(bytes, tool.orElse(""), named), ModuleFile.TOOL);
    }

    /** No operator approved it: it gets the grants of the command line and none of its manifest. */
    private LoadedSkill tried(byte[] bytes, SkillGrants named) {
        try {
            Artifact artifact = Artifact.verify(bytes);
            gateway.requireFit(artifact.manifest());
            return artifact.loaded(false, "").with(named);
        } catch (RefusedException e) {
            throw e.asPalyra();
        }
    }

    private SkillId id(String given) {
        return skills.active().stream()
                .filter(each -> each.skill().equals(given) || each.toString().equals(given))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "No skill " + given + " is active; see skills list."));
    }

    private static String onlyTool(LoadedSkill skill) {
        List<String> names = skill.tools().stream().map(SkillTool::id).toList();
        Require.that(names.size() == 1, "--tool is missing; the skill has " + names);
        return names.get(0);
    }
}
