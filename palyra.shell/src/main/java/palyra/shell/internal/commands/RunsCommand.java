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
import palyra.api.run.RunView;
import palyra.shell.internal.host.AsksForEach;
import palyra.shell.internal.host.Seams;

/** {@code runs}: the newest runs. */
@Component(service = Command.class)
public final class RunsCommand extends ShellCommand implements AsksForEach {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 500;

    private final Seams seams;

    @Activate
    public RunsCommand(@Reference Seams seams) {
        super(
                spec(
                        "runs",
                        "Lists runs, newest first.",
                        "",
                        "run.list",
                        List.of(
                                OptionSpec.value("session", "ID", "Only runs of this session"),
                                OptionSpec.value("before", "RUN", "Only runs older than this one"),
                                OptionSpec.value("limit", "N", "How many, 1 to 500 (20)")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        int limit = given.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        String session = given.option("session").map(id -> Words.id(id, "session id")).orElse("");
        String before = given.option("before").map(id -> Words.id(id, "run id")).orElse("");
        List<RunView> found =
                seams.runs().call(runs -> runs.runs(context.principal(), session, before, limit));
        context.output()
                .table(
                        List.of("Run", "State", "Created", "Agent", "Principal", "Reason"),
                        found.stream().map(RunsCommand::row).toList());
        return ExitCodes.OK;
    }

    private static List<String> row(RunView run) {
        return List.of(
                run.runId(),
                run.state().name(),
                Words.time(run.createdAtMillis()),
                run.agentId(),
                run.principal(),
                run.reason());
    }
}
