package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code run retry RUN}. */
@Component(service = Command.class)
public final class RunRetryCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public RunRetryCommand(@Reference Seams seams) {
        super(
                spec(
                        "run retry",
                        "Goes on with a run that is QUARANTINED.",
                        "A run is set aside when the gateway could not go on with it several times."
                                + " Its reason is in: palyra runs. It is tried again from where its"
                                + " tape ends. Exit code 1: the run is in another state, which the"
                                + " answer names.",
                        "run.retry",
                        List.of(),
                        List.of(RunIds.RUN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String runId = RunIds.of(context, seams);
        boolean retried = seams.runs().call(runs -> runs.retry(context.principal(), runId));
        if (context.json()) {
            context.output().fields(Fields.of("runId", runId, "retried", retried));
        } else {
            context.output()
                    .line("Run " + runId + (retried ? " is tried again." : is(context, runId)));
        }
        return retried ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private String is(CommandContext context, String runId) {
        String state =
                seams.runs()
                        .call(runs -> runs.run(context.principal(), runId))
                        .map(run -> " is " + run.state() + ", not QUARANTINED")
                        .orElse(" is not QUARANTINED");
        return state + "; nothing was changed.";
    }
}
