package palyra.shell.internal.commands;

import java.io.IOException;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentView;
import palyra.shell.internal.host.Seams;

/** {@code agents update AGENT}. */
@Component(service = Command.class)
public final class AgentsUpdateCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsUpdateCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents update",
                        "Changes settings of an agent; other settings stay.",
                        "--tool replaces the whole list.",
                        "agent.update",
                        Agents.SETTINGS,
                        List.of(Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        if (context.arguments().options().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "palyra agents update was given nothing to change; name an option, such as"
                            + " --prompt.");
        }
        AgentView before = Agents.require(seams, context.arguments().positionals().get(0));
        AgentView wanted = Agents.changed(seams, before, context);
        Authorized permit =
                Agents.authorize(seams, context, "agent.update", "agent:" + before.agentId());
        AgentView after = seams.agents().call(agents -> agents.update(permit, wanted));
        String standard = seams.agents().call(agents -> agents.defaultAgentId());
        context.output().fields(Agents.answer(seams, after, after.agentId().equals(standard)));
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? Agents.complete(seams, prefix) : List.of();
    }
}
