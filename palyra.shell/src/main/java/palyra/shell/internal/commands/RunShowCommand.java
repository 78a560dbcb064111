package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.run.RunView;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code run show RUN}. */
@Component(service = Command.class)
public final class RunShowCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public RunShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "run show",
                        "Shows the state of a run.",
                        "",
                        "run.read",
                        List.of(),
                        List.of(RunIds.RUN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String runId = RunIds.of(context, seams);
        RunView run =
                seams.runs()
                        .call(runs -> runs.run(context.principal(), runId))
                        .orElseThrow(() -> RunIds.unknown(runId));
        context.output()
                .fields(
                        Fields.of(
                                "runId", run.runId(),
                                "sessionId", run.sessionId(),
                                "state", run.state().name(),
                                "reason", run.reason(),
                                "agentId", run.agentId(),
                                "principal", run.principal(),
                                "origin", run.originKind(),
                                "created", Words.time(run.createdAtMillis()),
                                "updated", Words.time(run.updatedAtMillis()),
                                "records", run.headSeq()));
        return ExitCodes.OK;
    }
}
