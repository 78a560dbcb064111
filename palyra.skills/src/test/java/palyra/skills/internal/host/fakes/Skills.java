package palyra.skills.internal.host.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/** Active skills that a test puts in and takes out. */
public final class Skills implements ActiveSkills {
    private static final byte[] MODULE = {0, 'a', 's', 'm'};

    private final Map<String, LoadedSkill> active = new TreeMap<>(); // guarded by this
    private final List<Consumer<List<SkillId>>> watchers = new ArrayList<>(); // guarded by this

    /**
     * Returns a tool with an input that must have a city, and an output that must have a number.
     */
    public static SkillTool tool(String id) {
        return new SkillTool(
                id,
                "Tells the weather.",
                "{\"type\":\"object\",\"required\":[\"city\"],\"properties\":{\"city\":"
                        + "{\"type\":\"string\",\"maxLength\":40}},\"additionalProperties\":false}",
                "{\"type\":\"object\",\"properties\":{\"degrees\":{\"type\":\"number\"}}}",
                "weather.wasm",
                "palyra_call",
                false,
                false,
                false);
    }

    /** Returns a skill. */
    public static LoadedSkill skill(
            String id, String version, SkillGrants grants, byte[] module, SkillTool... tools) {
        return new LoadedSkill(
                new SkillId(id, version),
                "acme",
                palyra.shared.hash.Digests.sha256Hex(module),
                "b".repeat(64),
                List.of(tools),
                grants,
                new SkillQuotas(10_000, 1_000_000, 1 << 20),
                false,
                "",
                Map.of("weather.wasm", module));
    }

    /** Returns a skill whose module differs by version. */
    public static LoadedSkill skill(
            String id, String version, SkillGrants grants, SkillTool... tools) {
        byte[] module =
                (new String(MODULE, java.nio.charset.StandardCharsets.ISO_8859_1) + version)
                        .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        return skill(id, version, grants, module, tools);
    }

    /** Returns the same, trusted, with an engine of its own. */
    public static LoadedSkill trusted(LoadedSkill skill, String engine) {
        return new LoadedSkill(
                skill.id(),
                skill.publisher(),
                skill.artifactSha256(),
                skill.payloadSha256(),
                skill.tools(),
                skill.grants(),
                skill.quotas(),
                true,
                engine,
                skill.modules());
    }

    /** Makes a skill active, in place of another version of it. */
    public synchronized Skills put(LoadedSkill skill) {
        active.put(skill.id().skill(), skill);
        tell();
        return this;
    }

    /** Takes a skill out. */
    public synchronized void remove(String skill) {
        active.remove(skill);
        tell();
    }

    private void tell() {
        watchers.forEach(each -> each.accept(active()));
    }

    @Override
    public synchronized LoadedSkill load(SkillId id) {
        LoadedSkill skill = active.get(id.skill());
        if (skill == null || !skill.id().equals(id)) {
            // as the store says it: another version may be the current one
            throw new PalyraException(
                    ErrorCode.DENIED, "The skill " + id + " is not active (not_approved).");
        }
        return skill;
    }

    @Override
    public synchronized List<SkillId> active() {
        return active.values().stream().map(LoadedSkill::id).toList();
    }

    @Override
    public synchronized AutoCloseable watch(Consumer<List<SkillId>> listener) {
        watchers.add(listener);
        return () -> watchers.remove(listener);
    }

    @Override
    public synchronized void quarantine(SkillId id, String reasonCode, String detail) {
        remove(id.skill());
    }
}
