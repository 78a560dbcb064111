package palyra.skills.internal.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;
import palyra.shared.schema.Schema;
import palyra.shared.tool.FactsDigest;
import palyra.skills.internal.host.HostFunctions;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillTool;

/**
 * A tool of a loaded skill: its description, the facts of its calls, its schemas. Made again from
 * each load, except for its schemas.
 *
 * @param skill the skill
 * @param tool the tool
 * @param moduleSha256 digest of its module as the artifact has it
 * @param input schema of its input
 * @param output schema of its output
 */
public record LoadedTool(
        LoadedSkill skill, SkillTool tool, String moduleSha256, Schema input, Schema output) {

    /**
     * Returns the tool of a skill by its name.
     *
     * @throws PalyraException NOT_FOUND when the skill has no such tool, INVALID_ARGUMENT when its
     *     schemas are not usable
     */
    public static LoadedTool of(LoadedSkill skill, String toolId) {
        SkillTool tool = tool(skill, toolId);
        return new LoadedTool(
                skill,
                tool,
                sha256(skill, tool),
                Schema.of("the input of " + toolId, tool.inputSchemaJson()),
                Schema.of("the output of " + toolId, tool.outputSchemaJson()));
    }

    /** Returns the same tool of a later load; unchanged parts are reused. */
    LoadedTool of(LoadedSkill later) {
        SkillTool same = tool(later, tool.id());
        boolean unchanged =
                same.inputSchemaJson().equals(tool.inputSchemaJson())
                        && same.outputSchemaJson().equals(tool.outputSchemaJson());
        if (!unchanged) {
            return of(later, tool.id());
        }
        boolean sameModule = // an artifact was checked against its digest as a whole
                later.artifactSha256().equals(skill.artifactSha256())
                        && same.module().equals(tool.module());
        String sha256 = sameModule ? moduleSha256 : sha256(later, same);
        return new LoadedTool(later, same, sha256, input, output);
    }

    private static SkillTool tool(LoadedSkill skill, String toolId) {
        return skill.tools().stream()
                .filter(each -> each.id().equals(toolId))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "The skill "
                                                + skill.id()
                                                + " has no tool "
                                                + toolId
                                                + "; it has "
                                                + skill.tools().stream().map(SkillTool::id).toList()
                                                + "."));
    }

    private static String sha256(LoadedSkill skill, SkillTool tool) {
        byte[] module = skill.modules().get(tool.module());
        if (module == null) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The skill "
                            + skill.id()
                            + " names the module "
                            + tool.module()
                            + " and does not have it; install it again.");
        }
        return Digests.sha256Hex(module);
    }

    /** Returns how the tool is offered. */
    public ToolDescriptor descriptor() {
        return GrantFacts.descriptor(skill, tool);
    }

    /** Returns what a call may do at most. */
    public CallFacts facts() {
        return GrantFacts.facts(skill, tool, moduleSha256);
    }

    String factsSha256() {
        return FactsDigest.of(facts());
    }

    /**
     * Throws INVALID_ARGUMENT, with the path, when an input does not fit the schema.
     *
     * @param inputJson the input as it came
     */
    public void requireFit(String inputJson) {
        JsonNode json = StrictJson.parse(inputJson, "the input of " + tool.id());
        Optional<String> problem = input.problem(json);
        if (problem.isPresent()) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, problem.get() + ".");
        }
    }

    /** Returns what a person is shown before the answer. */
    CallDescription description() {
        String kinds = String.join(", ", HostFunctions.kinds(skill.grants()));
        return new CallDescription(
                tool.id()
                        + " of the skill "
                        + skill.id()
                        + " by "
                        + skill.publisher()
                        + (kinds.isEmpty() ? ", which reaches nothing outside" : ", with " + kinds),
                List.of(),
                tool.requiresApproval()
                        ? "The skill's manifest requires an approval for each call."
                        : "",
                Optional.empty());
    }
}
