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

/** {@code agents list}. */
@Component(service = Command.class)
public final class AgentsListCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsListCommand(@Reference Seams seams) {
        super(spec("agents list", "Lists the agents.", "", "agent.read", List.of(), List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String standard = seams.agents().call(agents -> agents.defaultAgentId());
        List<AgentView> found = seams.agents().call(agents -> agents.agents());
        context.output()
                .table(
                        List.of("Agent", "Name", "Default", "Provider", "Model", "Test", "Tools"),
                        found.stream().map(agent -> row(agent, standard)).toList());
        return ExitCodes.OK;
    }

    private static List<?> row(AgentView agent, String standard) {
        return List.of(
                agent.agentId(),
                agent.displayName(),
                agent.agentId().equals(standard),
                agent.provider(),
                agent.model(),
                agent.test(),
                agent.tools());
    }
}
