package palyra.shell.internal.approvals;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.approval.ApprovalView;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.evidence.WhyCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code approvals why ID}: the reason and outcome of an approval request. */
@Component(service = Command.class)
public final class ApprovalsWhyCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;
    private final WhyCommand.Explainer explainer;

    @Activate
    public ApprovalsWhyCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals why",
                        "Explains why an approval request was made, how it ended and what"
                                + " followed.",
                        "The same as palyra why for the call of the request.",
                        "approval.read",
                        List.of(),
                        List.of(ApprovalIds.ID_OR_LAST)));
        this.seams = seams;
        this.explainer = new WhyCommand.Explainer(seams);
    }

    @Override
    public int run(CommandContext context) {
        ApprovalView view = ApprovalIds.shown(seams, context);
        if (!context.json()) {
            String once = ApprovalDetails.of(view).onceOnly();
            context.output()
                    .line(
                            "Asked because: "
                                    + EscapedText.line(view.prompt().policyExplanation())
                                    + (once.isEmpty()
                                            ? ""
                                            : "\nIt can be allowed once only: "
                                                    + EscapedText.line(once)));
            context.output().line("Outcome: " + ApprovalText.outcome(view));
        }
        if (view.callId().isEmpty()) { // about a sender: no call, and no tape
            if (context.json()) {
                context.output().fields(ApprovalText.forProgram(view));
            }
            return ExitCodes.OK;
        }
        return explainer.explain(context, view.callId());
    }
}
