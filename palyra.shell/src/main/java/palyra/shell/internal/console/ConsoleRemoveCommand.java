package palyra.shell.internal.console;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code console remove NAME}. */
@Component(service = Command.class)
public final class ConsoleRemoveCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public ConsoleRemoveCommand(@Reference Seams seams) {
        super(
                spec(
                        "console remove",
                        "Removes an account with its passkeys, password and sessions.",
                        "Runs, sessions of conversations and records of the person stay.",
                        "access.account.remove",
                        List.of(),
                        List.of(
                                PositionalSpec.required(
                                        "NAME", "Name of an account, such as alice"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String name = AccountCalls.name(context);
        AccountCalls.remove(seams, context.principal(), name);
        context.output().fields(Fields.of("account", name, "state", "removed"));
        return ExitCodes.OK;
    }
}
