package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.gateway.AgentView;
import palyra.shell.internal.host.Seams;

/** {@code agents show AGENT}. */
@Component(service = Command.class)
public final class AgentsShowCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents show",
                        "Shows an agent with its instructions.",
                        "",
                        "agent.read",
                        List.of(),
                        List.of(Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        AgentView agent = Agents.require(seams, context.arguments().positionals().get(0));
        String standard = seams.agents().call(agents -> agents.defaultAgentId());
        context.output().fields(Agents.fields(agent, agent.agentId().equals(standard)));
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? Agents.complete(seams, prefix) : List.of();
    }
}
