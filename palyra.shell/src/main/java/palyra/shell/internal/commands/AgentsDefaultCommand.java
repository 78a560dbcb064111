package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Authorized;
import palyra.shell.internal.host.Seams;

/** {@code agents default AGENT}. */
@Component(service = Command.class)
public final class AgentsDefaultCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsDefaultCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents default",
                        "Makes an agent the default.",
                        "",
                        "agent.set_default",
                        List.of(),
                        List.of(Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = context.arguments().positionals().get(0);
        Agents.require(seams, id);
        Authorized permit = Agents.authorize(seams, context, "agent.set_default", "agent:" + id);
        seams.agents().run(agents -> agents.setDefault(permit, id));
        context.output().note("Agent " + id + " is the default now.");
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? Agents.complete(seams, prefix) : List.of();
    }
}
