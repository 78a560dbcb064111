package palyra.shell.internal.approvals;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.approval.GrantView;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code approvals revoke GRANT}: ends a grant. */
@Component(service = Command.class)
public final class ApprovalsRevokeCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public ApprovalsRevokeCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals revoke",
                        "Revokes a grant: it covers no further calls.",
                        "Calls that were started under it go on.",
                        "approval.revoke",
                        List.of(OptionSpec.value("reason", "TEXT", "Why")),
                        List.of(
                                PositionalSpec.required(
                                        "GRANT", "Id of the grant, see palyra approvals grants"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = Words.id(context.arguments().positionals().get(0), "grant id");
        String reason = context.arguments().option("reason").orElse("");
        GrantView grant = seams.approvals().call(a -> a.revoke(context.principal(), id, reason));
        context.output()
                .fields(
                        Fields.of(
                                "grantId", grant.grantId(),
                                "state", grant.state().name(),
                                "endedBy", grant.endedBy(),
                                "uses", grant.uses(),
                                "covered", EscapedText.line(grant.covers())));
        return ExitCodes.OK;
    }
}
