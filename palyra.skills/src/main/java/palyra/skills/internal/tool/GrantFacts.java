package palyra.skills.internal.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/** Maps the grants of a skill to its tools' capabilities and to facts for policies. */
final class GrantFacts {
    /** Flag of every call of a skill. */
    static final String SKILL = "!skill";

    /** Flag of a call for which the manifest wants a person's word. */
    static final String APPROVAL = "!skill-approval";

    /** Flag of a call of a skill that an operator trusts. */
    static final String TRUSTED = "!skill-trusted";

    private static final int MOST_INPUT = 1 << 20;
    private static final long MOST_TIMEOUT = 3_600_000;
    private static final long SPARE_MILLIS = 60_000;

    private GrantFacts() {}

    /**
     * Returns how a tool is offered.
     *
     * @throws PalyraException INVALID_ARGUMENT when no agent could call it so
     */
    static ToolDescriptor descriptor(LoadedSkill skill, SkillTool tool) {
        SkillGrants grants = skill.grants();
        boolean harmless =
                grants.httpHosts().isEmpty()
                        && grants.channels().isEmpty()
                        && grants.storage().stream().noneMatch(SkillGrants.StorageGrant::write);
        return new ToolDescriptor(
                tool.id(),
                tool.description(),
                offeredSchema(tool),
                capabilities(grants, tool.sensitive()),
                harmless,
                harmless,
                timeout(skill.quotas()),
                MOST_INPUT);
    }

    /** Models send objects: a schema without a type gets the type object. */
    private static String offeredSchema(SkillTool tool) {
        String what = "the input schema of " + tool.id();
        JsonNode schema = StrictJson.parse(tool.inputSchemaJson(), what);
        JsonNode type = schema.path("type");
        if (type.isMissingNode()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode().put("type", "object");
            schema.properties().forEach(each -> object.set(each.getKey(), each.getValue()));
            return object.toString();
        }
        if (!type.asText().equals("object")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The tool "
                            + tool.id()
                            + " is not offered: its input_schema has the type "
                            + type
                            + ", and agents give objects; its publisher has to make it"
                            + " \"object\".");
        }
        return tool.inputSchemaJson();
    }

    /** The executor's limit has room for waiting and compiling; the engine keeps the quota. */
    private static long timeout(SkillQuotas quotas) {
        return Math.min(MOST_TIMEOUT, quotas.timeoutMillis() + SPARE_MILLIS);
    }

    private static Set<Capability> capabilities(SkillGrants grants, boolean sensitive) {
        Set<Capability> capabilities = new HashSet<>();
        if (!grants.httpHosts().isEmpty()) {
            capabilities.add(Capability.NETWORK);
        }
        if (!grants.secrets().isEmpty()) {
            capabilities.add(Capability.SECRETS_READ);
        }
        for (SkillGrants.StorageGrant each : grants.storage()) {
            capabilities.add(
                    each.write() ? Capability.FILESYSTEM_WRITE : Capability.FILESYSTEM_READ);
        }
        if (!grants.channels().isEmpty() || !grants.readChannels().isEmpty() || sensitive) {
            capabilities.add(Capability.OTHER);
        }
        return capabilities;
    }

    /**
     * Returns what a call may do at most: a module shows no more before it runs. The digest is that
     * of the module as the artifact has it; {@code subcommand} is {@code skill@version}.
     */
    static CallFacts facts(LoadedSkill skill, SkillTool tool, String moduleSha256) {
        SkillGrants grants = skill.grants();
        String own = skill.id().skill();
        Set<String> flags = new HashSet<>(Set.of(SKILL));
        if (tool.requiresApproval()) {
            flags.add(APPROVAL);
        }
        if (skill.trusted()) {
            flags.add(TRUSTED);
        }
        grants.channels().forEach(channel -> flags.add("!channel:" + channel));
        grants.readChannels().forEach(channel -> flags.add("!channel-read:" + channel));
        return new CallFacts(
                "",
                moduleSha256,
                "",
                skill.id().toString(),
                flags,
                0,
                grants.httpHosts().stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet()),
                Set.of(),
                Set.of(),
                storage(grants, own, false),
                storage(grants, own, true),
                grants.secrets().stream()
                        .map(each -> "vault:" + scope(each.scope(), own) + "/" + each.key())
                        .collect(Collectors.toSet()));
    }

    private static String scope(String scope, String own) {
        return scope.equals("skill") || scope.equals("skill:") ? "skill:" + own : scope;
    }

    private static Set<String> storage(SkillGrants grants, String own, boolean write) {
        return grants.storage().stream()
                .filter(each -> !write || each.write())
                .map(each -> "skill:" + own + "/" + each.prefix())
                .collect(Collectors.toSet());
    }
}
