package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.run.SessionView;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code sessions list}: the newest sessions. */
@Component(service = Command.class)
public final class SessionsListCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public SessionsListCommand(@Reference Seams seams) {
        super(
                spec(
                        "sessions list",
                        "Lists sessions, newest first.",
                        "",
                        "session.list",
                        List.of(
                                OptionSpec.flag("archived", "Include archived ones"),
                                OptionSpec.value(
                                        "before", "SESSION", "Only sessions older than this one"),
                                OptionSpec.value("limit", "N", "How many, 1 to 500 (20)")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        int limit = given.number("limit", 20, 1, 500);
        String before = given.option("before").map(id -> Words.id(id, "session id")).orElse("");
        List<SessionView> found =
                seams.runs()
                        .call(
                                runs ->
                                        runs.sessions(
                                                context.principal(),
                                                "",
                                                before,
                                                limit,
                                                given.flag("archived")));
        context.output()
                .table(
                        List.of(
                                "Session",
                                "Key",
                                "Agent",
                                "Created",
                                "Updated",
                                "Archived",
                                "Principal",
                                "Last run"),
                        found.stream().map(SessionsListCommand::row).toList());
        return ExitCodes.OK;
    }

    private static List<String> row(SessionView session) {
        return List.of(
                session.sessionId(),
                session.key(),
                session.agentId(),
                Words.time(session.createdAtMillis()),
                Words.time(session.updatedAtMillis()),
                Words.time(session.archivedAtMillis()),
                session.principal(),
                session.lastRunId());
    }
}
