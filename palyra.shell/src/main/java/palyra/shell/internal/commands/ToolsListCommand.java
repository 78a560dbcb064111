package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.gateway.AgentView;
import palyra.api.tool.ToolDescriptor;
import palyra.shell.internal.host.Seams;

/** {@code tools list}. */
@Component(service = Command.class)
public final class ToolsListCommand extends ShellCommand {
    private static final List<String> HEADINGS =
            List.of("Tool", "Description", "Capabilities", "Agents");

    private final Seams seams;

    @Activate
    public ToolsListCommand(@Reference Seams seams) {
        super(
                spec(
                        "tools list",
                        "Lists the tools on offer, what they can reach and which agents have them.",
                        """
                        An agent may use a tool that is on its list, as far as the policy allows.
                        Tools come and go with bundles and skills.""",
                        "agent.read",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        context.output().table(HEADINGS, Tools.onOffer(seams).stream().map(this::row).toList());
        return ExitCodes.OK;
    }

    private List<?> row(ToolDescriptor tool) {
        return List.of(
                tool.name(),
                tool.description(),
                List.copyOf(Tools.capabilities(tool)),
                Tools.agentsWith(seams, tool.name()).stream().map(AgentView::agentId).toList());
    }
}
