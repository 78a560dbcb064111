package palyra.shell.internal.approvals;

import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/** Approval requests as command arguments. */
final class ApprovalIds {
    /** A question as a command takes it. */
    static final PositionalSpec ID =
            PositionalSpec.required("ID", "Id of the approval request, see palyra approvals list");

    private ApprovalIds() {}

    /** Returns the id that the first argument is. */
    static String id(CommandContext context) {
        return Words.id(context.arguments().positionals().get(0), "id of a question");
    }

    /** Returns a question; NOT_FOUND also for one that the caller may not see. */
    static ApprovalView of(Seams seams, CommandContext context, String id) {
        return seams.approvals()
                .call(approvals -> approvals.approval(context.principal(), id))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "Approval request not found: "
                                                + id
                                                + "; list them with palyra approvals list --all."));
    }

    /** Returns the state that an option names. */
    static Optional<ApprovalState> state(CommandContext context) {
        return context.arguments()
                .option("state")
                .map(word -> ApprovalState.valueOf(word.toUpperCase(Locale.ROOT)));
    }
}
