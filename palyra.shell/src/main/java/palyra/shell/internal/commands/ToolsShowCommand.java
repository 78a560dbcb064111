package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.gateway.AgentView;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.StrictJson;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code tools show TOOL}. */
@Component(service = Command.class)
public final class ToolsShowCommand extends ShellCommand {
    private static final List<String> HEADINGS = List.of("Agent", "Your call", "Reason");

    private final Seams seams;

    @Activate
    public ToolsShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "tools show",
                        "Shows a tool with its input schema, its agents and whether you may use it.",
                        """
                        The table has the agents that have the tool, and what the policy in force
                        says of a call of yours without input. Policies may say otherwise of what a
                        call would do; palyra policy explain shows why for any call and caller.""",
                        "agent.read",
                        List.of(),
                        List.of(PositionalSpec.required("TOOL", "Name of a tool"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        ToolDescriptor tool = Tools.require(seams, context.arguments().positionals().get(0));
        Map<String, Object> fields =
                Fields.of(
                        "tool", tool.name(),
                        "description", tool.description(),
                        "capabilities", Tools.capabilities(tool),
                        "sensitive", tool.sensitive(),
                        "readOnly", tool.readOnly(),
                        "idempotent", tool.idempotent(),
                        "timeoutMillis", tool.timeoutMillis(),
                        "maxInputBytes", tool.maxInputBytes());
        JsonNode schema =
                StrictJson.parse(tool.inputSchemaJson(), "the input schema of " + tool.name());
        List<List<String>> rows =
                Tools.agentsWith(seams, tool.name()).stream()
                        .map(agent -> row(context.principal(), agent, tool))
                        .toList();
        if (context.json()) {
            fields.put("inputSchema", schema);
            fields.put("agents", rows.stream().map(ToolsShowCommand::object).toList());
            context.output().fields(fields);
        } else {
            fields.put("inputSchema", schema.toPrettyString());
            context.output().fields(fields);
            context.output().table(HEADINGS, rows);
        }
        return ExitCodes.OK;
    }

    private static Map<String, Object> object(List<String> row) {
        return Fields.of("agent", row.get(0), "yourCall", row.get(1), "reason", row.get(2));
    }

    private List<String> row(Principal caller, AgentView agent, ToolDescriptor tool) {
        ToolPolicyRequest request =
                new ToolPolicyRequest(
                        caller.id(),
                        agent.agentId(),
                        agent.test(),
                        "",
                        "",
                        "tools-show",
                        tool.name(),
                        tool,
                        "{}",
                        Set.copyOf(agent.tools()),
                        1,
                        1,
                        new CallContext(
                                "", "", caller.groups(), false, false, Set.of(), CallFacts.none()),
                        List.of(tool),
                        agent.policyProfile());
        ToolPolicyDecision decision = seams.access().call(access -> access.decideTool(request));
        String verdict =
                switch (decision.verdict()) {
                    case ALLOW -> "allowed";
                    case APPROVAL_REQUIRED -> "needs an approval";
                    case DENY -> "denied";
                };
        return List.of(agent.agentId(), verdict, decision.reason());
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index != 0
                ? List.of()
                : Seams.ifPresent(seams.agents(), agents -> agents.tools())
                        .map(Tools::names)
                        .orElse(List.of())
                        .stream()
                        .filter(name -> name.startsWith(prefix))
                        .toList();
    }
}
