package palyra.shell.internal.console;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.ConsoleSession;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/** {@code console sessions}. */
@Component(service = Command.class)
public final class ConsoleSessionsCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public ConsoleSessionsCommand(@Reference Seams seams) {
        super(
                spec(
                        "console sessions",
                        "Lists who is signed in to the console.",
                        "",
                        "access.session.list",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        context.output()
                .table(
                        List.of(
                                "Session",
                                "Account",
                                "Factor",
                                "Device",
                                "Address",
                                "Signed in",
                                "Last seen",
                                "Expires"),
                        AccountCalls.sessions(seams, context.principal()).stream()
                                .map(ConsoleSessionsCommand::row)
                                .toList());
        return ExitCodes.OK;
    }

    private static List<?> row(ConsoleSession session) {
        return List.of(
                session.sessionId(),
                session.account(),
                session.factor(),
                session.agent(),
                session.address(),
                Words.time(session.createdAtMillis()),
                Words.time(session.seenAtMillis()),
                Words.time(session.expiresAtMillis()));
    }
}
