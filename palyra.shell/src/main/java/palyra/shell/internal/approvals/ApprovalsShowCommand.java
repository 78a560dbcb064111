package palyra.shell.internal.approvals;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code approvals show ID}: an approval request with everything that is needed to answer it. */
@Component(service = Command.class)
public final class ApprovalsShowCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public ApprovalsShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals show",
                        "Shows an approval request: what would run, why approval is needed, what an"
                                + " answer covers.",
                        """
                        Characters that cannot be seen are shown as \\u{HEX}. After an answer it
                        shows who gave it and how far it reaches.\
                        """,
                        "approval.read",
                        List.of(),
                        List.of(ApprovalIds.ID_OR_LAST)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        ApprovalView view = ApprovalIds.shown(seams, context);
        if (view.state() == ApprovalState.PENDING) {
            seams.lastShown().shown(context.principal(), view.approvalId());
        }
        if (context.json()) {
            context.output().fields(ApprovalText.forProgram(view));
            return ExitCodes.OK;
        }
        context.output().fields(ApprovalText.forPerson(view, System.currentTimeMillis()));
        if (view.state() == ApprovalState.PENDING) {
            context.output().note(ApprovalText.elsewhere(view.approvalId()));
        }
        return ExitCodes.OK;
    }
}
