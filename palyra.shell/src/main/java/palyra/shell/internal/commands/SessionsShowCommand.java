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

/** {@code sessions show SESSION}. */
@Component(service = Command.class)
public final class SessionsShowCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public SessionsShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "sessions show",
                        "Shows a session.",
                        "",
                        "session.read",
                        List.of(),
                        List.of(Sessions.SESSION)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = Sessions.id(context, seams);
        SessionView session =
                seams.runs()
                        .call(runs -> runs.session(context.principal(), id))
                        .orElseThrow(() -> Sessions.unknown(id));
        context.output().fields(Sessions.fields(session));
        return ExitCodes.OK;
    }
}
