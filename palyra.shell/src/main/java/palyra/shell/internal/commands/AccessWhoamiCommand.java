package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.host.Fields;

/** {@code access whoami}. */
@Component(service = Command.class)
public final class AccessWhoamiCommand extends ShellCommand {
    @Activate
    public AccessWhoamiCommand() {
        super(
                spec(
                        "access whoami",
                        "Shows as whom you are known here.",
                        "",
                        "command.help",
                        List.of(),
                        List.of()));
    }

    @Override
    public int run(CommandContext context) {
        Principal me = context.principal();
        context.output()
                .fields(
                        Fields.of(
                                "principal", me.id(),
                                "kind", me.kind().name(),
                                "groups", me.groups().stream().sorted().toList(),
                                "scopes", me.scopes().stream().sorted().toList(),
                                "credential", me.credentialId()));
        return ExitCodes.OK;
    }
}
