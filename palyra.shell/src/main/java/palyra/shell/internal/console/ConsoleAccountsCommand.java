package palyra.shell.internal.console;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccountView;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/** {@code console accounts}. */
@Component(service = Command.class)
public final class ConsoleAccountsCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public ConsoleAccountsCommand(@Reference Seams seams) {
        super(
                spec(
                        "console accounts",
                        "Lists the accounts of the console.",
                        "",
                        "access.account.list",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        context.output()
                .table(
                        List.of(
                                "Account",
                                "State",
                                "Groups",
                                "Password",
                                "Passkeys count",
                                "Created"),
                        AccountCalls.list(seams, context.principal()).stream()
                                .map(ConsoleAccountsCommand::row)
                                .toList());
        return ExitCodes.OK;
    }

    private static List<?> row(AccountView account) {
        return List.of(
                account.name(),
                state(account),
                account.groups().stream().sorted().toList(),
                account.hasPassword(),
                account.passkeys().size(),
                Words.time(account.createdAtMillis()));
    }

    private static String state(AccountView account) {
        if (account.disabled()) {
            return "disabled";
        }
        if (account.invitedUntilMillis() > 0) {
            return "invited until " + Words.time(account.invitedUntilMillis());
        }
        return account.hasFactor() ? "open" : "never signed in";
    }
}
