package palyra.skills.internal.model;

import palyra.api.Require;

/**
 * One version of a skill.
 *
 * @param skill id as in its manifest, such as {@code acme.weather}
 * @param version {@code x.y.z}
 */
public record SkillId(String skill, String version) {
    /** Checks. */
    public SkillId {
        Require.text(skill, "skill id");
        Require.text(version, "skill version");
    }

    /** Returns {@code skill@version}. */
    @Override
    public String toString() {
        return skill + "@" + version;
    }
}
