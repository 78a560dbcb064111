package palyra.shell.internal.commands;

import java.io.IOException;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.run.AppendedEvent;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code event append RUN JSON}. */
@Component(service = Command.class)
public final class EventAppendCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int MAX_BYTES = 65_536;

    private final Seams seams;

    @Activate
    public EventAppendCommand(@Reference Seams seams) {
        super(
                spec(
                        "event append",
                        "Puts an event on a run's tape.",
                        "It is context for the model and never counts as a decision. When the run"
                                + " has ended, the\n"
                                + "event goes to the journal. With - as JSON it is read from standard"
                                + " input.",
                        "event.append",
                        List.of(
                                OptionSpec.value("kind", "WORD", "What it is (note)"),
                                OptionSpec.value(
                                        "id",
                                        "ULID",
                                        "Id of the event: the same id is taken once")),
                        List.of(RunIds.RUN, PositionalSpec.required("JSON", "Any JSON value"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        CommandArguments given = context.arguments();
        String kind = given.option("kind").orElse("note");
        String eventId = given.option("id").map(id -> Words.id(id, "event id")).orElse("");
        String json = given.positionals().get(1);
        String content =
                json.equals("-") ? CallerInput.text(context, MAX_BYTES, "the event") : json;
        String runId = RunIds.of(context, seams);
        AppendedEvent appended =
                seams.runs()
                        .call(
                                runs ->
                                        runs.appendEvent(
                                                context.principal(),
                                                runId,
                                                eventId,
                                                kind,
                                                content));
        context.output()
                .fields(
                        Fields.of(
                                "eventId", appended.eventId(),
                                "where", appended.onTape() ? "tape of run " + runId : "journal",
                                "seq", appended.seq()));
        return ExitCodes.OK;
    }
}
