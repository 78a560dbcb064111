package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.gateway.AgentRegistry.ModelPrompt;
import palyra.api.core.gateway.AgentView;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.StrictJson;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code agents prompt AGENT}. */
@Component(service = Command.class)
public final class AgentsPromptCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsPromptCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents prompt",
                        "Shows what an agent's model is told before a conversation.",
                        """
                        Its instructions, where its tools work, and each tool with its description
                        and input schema, as a run of yours would send them now. Secrets are
                        placeholders, and a provider may write names of tools in its own form.""",
                        "agent.read",
                        List.of(),
                        List.of(Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        AgentView agent = Agents.require(seams, context.arguments().positionals().get(0));
        ModelPrompt prompt =
                seams.agents().call(agents -> agents.prompt(agent, context.principal().id()));
        if (context.json()) {
            context.output()
                    .fields(
                            Fields.of(
                                    "agent", agent.agentId(),
                                    "instructions", prompt.instructions(),
                                    "tools", prompt.tools().stream().map(this::object).toList()));
            return ExitCodes.OK;
        }
        context.output().line("# Instructions");
        context.output().line(prompt.instructions().isEmpty() ? "(none)" : prompt.instructions());
        for (ToolDescriptor tool : prompt.tools()) {
            context.output().line("");
            context.output().line("# Tool " + tool.name());
            context.output().line(tool.description());
            context.output().line(schema(tool).toPrettyString());
        }
        return ExitCodes.OK;
    }

    private Map<String, Object> object(ToolDescriptor tool) {
        return Fields.of(
                "tool", tool.name(),
                "description", tool.description(),
                "inputSchema", schema(tool));
    }

    private static JsonNode schema(ToolDescriptor tool) {
        return StrictJson.parse(tool.inputSchemaJson(), "the input schema of " + tool.name());
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? Agents.complete(seams, prefix) : List.of();
    }
}
