package palyra.skills.internal.run;

import palyra.api.Require;
import palyra.api.core.access.Confinement.Tier;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/**
 * An authorized call of a module.
 *
 * @param scope whose call it is
 * @param skill the skill, checked just now
 * @param tool which of its tools
 * @param moduleSha256 digest of the tool's module as the artifact has it
 * @param input the input, validated; not copied
 * @param quotas what it may take
 * @param engine engine that was asked for by name; empty for the skill's own or the default
 * @param tier at least how strict it is to be confined
 * @param seams what host functions work with
 */
@SuppressWarnings("ArrayRecordComponent") // read only
public record RunRequest(
        CallScope scope,
        LoadedSkill skill,
        SkillTool tool,
        String moduleSha256,
        byte[] input,
        SkillQuotas quotas,
        String engine,
        Tier tier,
        HostSeams seams) {
    /** Checks. */
    public RunRequest {
        Require.present(scope, "scope");
        Require.present(skill, "skill");
        Require.present(tool, "tool");
        Require.text(moduleSha256, "digest of a module");
        Require.present(input, "input");
        Require.present(quotas, "quotas");
        engine = Require.orEmpty(engine);
        Require.present(tier, "tier");
        Require.present(seams, "seams");
    }

    byte[] module() {
        byte[] module = skill.modules().get(tool.module());
        Require.that(
                module != null,
                "the skill "
                        + skill.id()
                        + " has no module "
                        + tool.module()
                        + "; install it again");
        return module;
    }
}
