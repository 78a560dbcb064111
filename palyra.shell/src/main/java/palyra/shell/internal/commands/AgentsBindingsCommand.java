package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.host.Seams;

/** {@code agents bindings}. */
@Component(service = Command.class)
public final class AgentsBindingsCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsBindingsCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents bindings",
                        "Lists who is bound to which agent.",
                        "",
                        "agent.read",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        context.output()
                .table(
                        List.of("Principal", "Channel", "Agent"),
                        seams.agents().call(agents -> agents.bindings()).stream()
                                .map(
                                        binding ->
                                                List.of(
                                                        binding.principal(),
                                                        binding.channel(),
                                                        binding.agentId()))
                                .toList());
        return ExitCodes.OK;
    }
}
