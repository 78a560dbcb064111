package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code run cancel RUN}. */
@Component(service = Command.class)
public final class RunCancelCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public RunCancelCommand(@Reference Seams seams) {
        super(
                spec(
                        "run cancel",
                        "Cancels a run, at once and durably.",
                        "Cancelling a run that has ended changes nothing.",
                        "run.cancel",
                        List.of(OptionSpec.value("reason", "TEXT", "Why, for the tape")),
                        List.of(RunIds.RUN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String runId = RunIds.of(context, seams);
        String reason = context.arguments().option("reason").orElse("cancelled from the shell");
        boolean going = seams.runs().call(runs -> runs.cancel(context.principal(), runId, reason));
        if (context.json()) {
            context.output().fields(Fields.of("runId", runId, "cancelling", going));
        } else {
            context.output()
                    .line(
                            going
                                    ? "Run " + runId + " is being cancelled."
                                    : "It had ended already.");
        }
        return ExitCodes.OK;
    }
}
