package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.run.SessionView;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code sessions archive SESSION}. */
@Component(service = Command.class)
public final class SessionsArchiveCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public SessionsArchiveCommand(@Reference Seams seams) {
        super(
                spec(
                        "sessions archive",
                        "Archives a session: its name is free again, its runs stay.",
                        "Refused while a run of it is going.",
                        "session.archive",
                        List.of(),
                        List.of(Sessions.SESSION)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = Sessions.id(context, seams);
        SessionView session =
                seams.runs().call(runs -> runs.archiveSession(context.principal(), id));
        context.output().fields(Sessions.fields(session));
        return ExitCodes.OK;
    }
}
