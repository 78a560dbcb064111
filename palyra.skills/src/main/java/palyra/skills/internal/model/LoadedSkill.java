package palyra.skills.internal.model;

import java.util.List;
import java.util.Map;
import palyra.api.Require;

/**
 * A skill whose artifact was read and checked as a whole just now: signature, trust, digests.
 *
 * @param id which
 * @param publisher who signed it
 * @param artifactSha256 digest of the artifact, lower-case hex
 * @param payloadSha256 digest that is signed, lower-case hex
 * @param tools its tools
 * @param grants what it may reach
 * @param quotas what a call may take
 * @param trusted whether an operator marked it as trusted for engines that require that
 * @param engine id of the engine that the operator chose for it; empty for the default
 * @param modules binaries by path; not copied, never changed
 */
public record LoadedSkill(
        SkillId id,
        String publisher,
        String artifactSha256,
        String payloadSha256,
        List<SkillTool> tools,
        SkillGrants grants,
        SkillQuotas quotas,
        boolean trusted,
        String engine,
        Map<String, byte[]> modules) {
    /** Checks and copies. */
    public LoadedSkill {
        Require.present(id, "skill");
        Require.text(publisher, "publisher");
        Require.text(artifactSha256, "digest of an artifact");
        Require.text(payloadSha256, "digest of a payload");
        tools = List.copyOf(tools);
        Require.present(grants, "grants");
        Require.present(quotas, "quotas");
        engine = Require.orEmpty(engine);
        modules = Map.copyOf(modules);
    }

    /** Returns the same skill with other grants. */
    public LoadedSkill with(SkillGrants other) {
        return new LoadedSkill(
                id,
                publisher,
                artifactSha256,
                payloadSha256,
                tools,
                other,
                quotas,
                trusted,
                engine,
                modules);
    }

    @Override
    public String toString() {
        return "LoadedSkill[" + id + "]"; // modules are large
    }
}
