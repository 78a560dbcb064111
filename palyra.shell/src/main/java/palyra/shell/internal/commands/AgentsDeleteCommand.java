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

/** {@code agents delete AGENT}. */
@Component(service = Command.class)
public final class AgentsDeleteCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AgentsDeleteCommand(@Reference Seams seams) {
        super(
                spec(
                        "agents delete",
                        "Deletes an agent and its bindings.",
                        "The default agent cannot be deleted.",
                        "agent.delete",
                        List.of(),
                        List.of(Agents.AGENT)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = context.arguments().positionals().get(0);
        requireThere(id);
        Authorized permit = Agents.authorize(seams, context, "agent.delete", "agent:" + id);
        seams.agents().run(agents -> agents.delete(permit, id));
        context.output().note("Agent " + id + " is deleted.");
        return ExitCodes.OK;
    }

    /** Also deletes an agent that cannot be read, which is the remedy for it. */
    private void requireThere(String id) {
        try {
            Agents.require(seams, id);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
        }
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? Agents.complete(seams, prefix) : List.of();
    }
}
