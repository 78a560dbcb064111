package palyra.shell.internal.commands;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentView;
import palyra.shell.internal.host.Seams;

/** {@code agents create AGENT}. */
@Component(service = Command.class)
public final class AgentsCreateCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsCreateCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents create",
                        "Creates an agent.",
                        """
                        A new agent has no tools unless --tool names some. Tools and providers come and
                        go: one that is not there is taken with a warning, or with --allow-missing.""",
                        "agent.create",
                        options(),
                        List.of(
                                PositionalSpec.required(
                                        "AGENT", "Id of the new agent: a-z, 0-9 and -"))));
        this.seams = seams;
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(Agents.SETTINGS);
        options.add(OptionSpec.flag("default", "Make it the default agent"));
        return options;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String id = context.arguments().positionals().get(0);
        AgentView blank = new AgentView(id, "", "", "", "", "", List.of(), false, 0, 0);
        AgentView wanted = Agents.changed(seams, blank, context);
        boolean standard = context.arguments().flag("default");
        Authorized permit = Agents.authorize(seams, context, "agent.create", "agent:" + id);
        AgentView made = seams.agents().call(agents -> agents.create(permit, wanted, standard));
        context.output().fields(Agents.answer(seams, made, standard));
        return ExitCodes.OK;
    }
}
