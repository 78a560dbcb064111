package palyra.shell.internal.console;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccountView;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code console disable NAME}. */
@Component(service = Command.class)
public final class ConsoleDisableCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public ConsoleDisableCommand(@Reference Seams seams) {
        super(
                spec(
                        "console disable",
                        "Refuses an account and ends its sessions, at once.",
                        "",
                        "access.account.update",
                        List.of(),
                        List.of(
                                PositionalSpec.required(
                                        "NAME", "Name of an account, such as alice"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        AccountView account =
                AccountCalls.setDisabled(
                        seams, context.principal(), AccountCalls.name(context), true);
        context.output().fields(Fields.of("account", account.name(), "state", "disabled"));
        return ExitCodes.OK;
    }
}
