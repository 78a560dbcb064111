package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
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

/** Agents, the tools they may use, and who is answered by which. */
final class AgentsPanel extends CommandPanel {
    private static final String HOME = "/console/panel/agents/";

    AgentsPanel(Commands commands) {
        super(
                new PanelSpec(
                        "agents", "Agents and tools", PanelSpec.Section.CONTROL, 10, "agent.read"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        if (request.path().startsWith("tool/")) {
            return tool(request, request.path().substring("tool/".length()));
        }
        return request.path().isEmpty() ? list(request) : agent(request);
    }

    private PanelPage list(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("agents list")),
                        "There is no agent.",
                        "agent",
                        HOME));
        blocks.add(new Block.Heading("Tools on offer"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("tools list")),
                        "No tool is on offer.",
                        "tool",
                        HOME + "tool/"));
        blocks.add(new Block.Heading("Who is answered by which agent"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("agents bindings")),
                        "Nothing is bound: the default agent answers everyone.",
                        "",
                        ""));
        return PanelPage.of(
                "Agents and tools", "Who answers, and what they may use to do it.", blocks);
    }

    private PanelPage tool(PanelRequest request, String name) {
        return PanelPage.of(
                "Tool " + name,
                "",
                Documents.blocks(
                        ask(request.principal(), CommandWords.of("tools show").argument(name))));
    }

    private PanelPage agent(PanelRequest request) {
        JsonNode agent =
                ask(request.principal(), CommandWords.of("agents show").argument(request.path()));
        List<Block> blocks = new ArrayList<>(Documents.blocks(agent));
        blocks.add(new Block.Heading("Change"));
        blocks.add(
                button(
                        "update",
                        "Save",
                        "agent.update",
                        "",
                        field("name", "Name", agent.path("name").asText()),
                        field(
                                "model_profile",
                                "Model profile",
                                agent.path("modelProfile").asText()),
                        field("profile", "Policy profile", agent.path("profile").asText()),
                        new Block.Field(
                                "prompt",
                                "Instructions for the model",
                                Block.FieldKind.LINES,
                                agent.path("prompt").asText(),
                                List.of(),
                                "",
                                false)));
        blocks.add(
                button(
                        "default",
                        "Make it the default",
                        "agent.set_default",
                        "Let it answer everyone who is bound to no other agent"));
        return PanelPage.of("Agent " + request.path(), "", blocks);
    }

    private static Block.Field field(String name, String label, String value) {
        return new Block.Field(name, label, Block.FieldKind.LINE, value, List.of(), "", false);
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        if (given.form().equals("default")) {
            return change(
                    given,
                    "",
                    given.path(),
                    CommandWords.of("agents default").argument(given.path()));
        }
        CommandWords words =
                CommandWords.of("agents update")
                        .option("name", given.field("name"))
                        .setting("model-profile", given.field("model_profile"))
                        .setting("profile", given.field("profile"))
                        .option("prompt", "-");
        return change(given, given.field("prompt"), given.path(), words.argument(given.path()));
    }
}
