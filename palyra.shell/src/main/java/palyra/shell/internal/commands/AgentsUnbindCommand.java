package palyra.shell.internal.commands;

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
import palyra.shell.internal.host.Seams;

/** {@code agents unbind PRINCIPAL}. */
@Component(service = Command.class)
public final class AgentsUnbindCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsUnbindCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents unbind",
                        "Removes the binding of a principal.",
                        "",
                        "agent.unbind",
                        List.of(Agents.CHANNEL),
                        List.of(Agents.PRINCIPAL)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String principal = context.arguments().positionals().get(0);
        String channel = context.arguments().option("channel").orElse("");
        Authorized permit =
                Agents.authorize(seams, context, "agent.unbind", "principal:" + principal);
        if (!seams.agents().call(agents -> agents.unbind(permit, principal, channel))) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no binding of "
                            + principal
                            + (channel.isEmpty() ? "" : " in channel " + channel)
                            + "; list them with palyra agents bindings.");
        }
        context.output().note("The binding is removed.");
        return ExitCodes.OK;
    }
}
