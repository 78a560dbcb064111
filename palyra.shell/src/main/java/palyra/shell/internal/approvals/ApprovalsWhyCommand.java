package palyra.shell.internal.approvals;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.approval.ApprovalView;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.evidence.WhyCommand;
import palyra.shell.internal.host.AsksForEach;
import palyra.shell.internal.host.Seams;

/** {@code approvals why ID}: why a question was asked and what came of it. */
@Component(service = Command.class)
public final class ApprovalsWhyCommand extends ShellCommand implements AsksForEach {
    private final Seams seams;
    private final WhyCommand.Explainer explainer;

    @Activate
    public ApprovalsWhyCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals why",
                        "Explains why a question was asked, how it ended and what came of it.",
                        "The same as palyra why for the call that the question is about.",
                        "approval.read",
                        List.of(),
                        List.of(Questions.ID)));
        this.seams = seams;
        this.explainer = new WhyCommand.Explainer(seams);
    }

    @Override
    public int run(CommandContext context) {
        ApprovalView view = Questions.of(seams, context, Questions.id(context));
        if (!context.json()) {
            String once = Details.of(view).onceOnly();
            context.output()
                    .line(
                            "Asked because: "
                                    + Visible.line(view.prompt().policyExplanation())
                                    + (once.isEmpty()
                                            ? ""
                                            : "\nIt can be allowed once only: "
                                                    + Visible.line(once)));
            context.output().line("Outcome: " + QuestionText.outcome(view));
        }
        return explainer.explain(context, view.callId());
    }
}
