package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.gateway.AgentRegistry;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code agents resolve PRINCIPAL}. */
@Component(service = Command.class)
public final class AgentsResolveCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsResolveCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents resolve",
                        "Shows which agent would answer, and why.",
                        "",
                        "agent.read",
                        List.of(
                                OptionSpec.value("channel", "CHANNEL", "Channel of the message"),
                                OptionSpec.value("session", "ID", "Session of the message")),
                        List.of(Agents.PRINCIPAL)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String principal = context.arguments().positionals().get(0);
        String channel = context.arguments().option("channel").orElse("");
        String session =
                context.arguments()
                        .option("session")
                        .map(id -> Words.id(id, "session id"))
                        .orElse("");
        AgentRegistry.Resolution found =
                seams.agents().call(agents -> agents.resolve(principal, channel, session));
        context.output()
                .fields(
                        Fields.of(
                                "agentId",
                                found.agent().agentId(),
                                "name",
                                found.agent().displayName(),
                                "source",
                                found.source().name()));
        return ExitCodes.OK;
    }
}
