package palyra.shell.internal.console;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.ConsoleSession;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code console revoke SESSION}. */
@Component(service = Command.class)
public final class ConsoleRevokeCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public ConsoleRevokeCommand(@Reference Seams seams) {
        super(
                spec(
                        "console revoke",
                        "Ends sessions of the console, at once.",
                        "Name one session by its id, or all sessions of an account by its name.",
                        "access.session.end",
                        List.of(),
                        List.of(
                                PositionalSpec.required(
                                        "SESSION", "Id of a session, or name of an account"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String given = AccountCalls.name(context);
        List<ConsoleSession> meant =
                AccountCalls.sessions(seams, context.principal()).stream()
                        .filter(
                                session ->
                                        session.account().equals(given)
                                                || session.sessionId().equalsIgnoreCase(given))
                        .toList();
        if (meant.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no session '"
                            + given
                            + "' and no session of an account of that name; palyra console sessions"
                            + " lists them.");
        }
        meant.forEach(session -> AccountCalls.end(seams, context.principal(), session));
        context.output()
                .fields(Fields.of("ended", meant.stream().map(ConsoleSession::sessionId).toList()));
        return ExitCodes.OK;
    }
}
