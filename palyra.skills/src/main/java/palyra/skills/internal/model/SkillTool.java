package palyra.skills.internal.model;

import palyra.api.Require;

/**
 * A tool of a skill.
 *
 * @param id its name as a tool, which begins with the publisher
 * @param description for the model
 * @param inputSchemaJson JSON Schema of the input
 * @param outputSchemaJson JSON Schema of the output; {@code {}} allows anything
 * @param module path of its module in the artifact
 * @param entrypoint exported function that is called
 * @param sensitive whether the manifest calls it sensitive
 * @param requiresApproval whether the manifest wants a person's word for each call
 * @param legacy whether it speaks the original's interface: no input, an exit code as output
 */
public record SkillTool(
        String id,
        String description,
        String inputSchemaJson,
        String outputSchemaJson,
        String module,
        String entrypoint,
        boolean sensitive,
        boolean requiresApproval,
        boolean legacy) {
    /** Checks. */
    public SkillTool {
        Require.text(id, "tool id");
        Require.text(description, "tool description");
        Require.text(inputSchemaJson, "input schema");
        Require.text(outputSchemaJson, "output schema");
        Require.text(module, "module");
        Require.text(entrypoint, "entrypoint");
    }
}
