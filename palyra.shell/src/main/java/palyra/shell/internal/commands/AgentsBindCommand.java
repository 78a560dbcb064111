package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code agents bind PRINCIPAL AGENT}. */
@Component(service = Command.class)
public final class AgentsBindCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsBindCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents bind",
                        "Lets an agent answer a principal.",
                        "Replaces an earlier binding of the same principal and channel.",
                        "agent.bind",
                        List.of(Agents.CHANNEL),
                        List.of(Agents.PRINCIPAL, Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String principal = context.arguments().positionals().get(0);
        String agent = context.arguments().positionals().get(1);
        String channel = context.arguments().option("channel").orElse("");
        Agents.require(seams, agent);
        Authorized permit = Agents.authorize(seams, context, "agent.bind", "agent:" + agent);
        AgentRegistry.Binding made =
                seams.agents()
                        .call(
                                agents ->
                                        agents.bind(
                                                permit,
                                                new AgentRegistry.Binding(
                                                        principal, channel, agent)));
        context.output()
                .fields(
                        Fields.of(
                                "principal",
                                made.principal(),
                                "channel",
                                made.channel(),
                                "agentId",
                                made.agentId()));
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 1 ? Agents.complete(seams, prefix) : List.of();
    }
}
