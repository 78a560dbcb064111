package palyra.shell.internal.approvals;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.LastShown;
import palyra.shell.internal.host.Seams;

/** Approval requests as command arguments. */
final class ApprovalIds {
    /** A question as an answer takes it. */
    static final PositionalSpec ID_OR_SHOWN =
            PositionalSpec.required(
                    "ID",
                    "Id of the approval request, or last for the one that palyra approvals show"
                            + " showed you last");

    /** The same for a command that changes nothing. */
    static final PositionalSpec ID_OR_LAST =
            PositionalSpec.required(
                    "ID",
                    "Id of the approval request, or last for the newest pending one, or the newest");

    private static final String LAST = "last";
    private static final int PAGE = 500;

    private ApprovalIds() {}

    /**
     * Returns the id of the request that an answer is for. The last one is the one that the caller
     * looked at last, never the newest, which may be another by now.
     */
    static String answered(Seams seams, CommandContext context) {
        String text = context.arguments().positionals().get(0);
        if (!text.equals(LAST)) {
            return id(text);
        }
        return seams.lastShown()
                .of(context.principal())
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.INVALID_ARGUMENT,
                                        "You looked at no pending approval request in the last "
                                                + LastShown.MINUTES
                                                + " minutes: look at one with palyra approvals show"
                                                + " last, and answer that one with last, or give its"
                                                + " id."));
    }

    private static String id(String text) {
        return Words.id(text, "id of an approval request");
    }

    /** Returns the request that the first argument names, or the last one. */
    static ApprovalView shown(Seams seams, CommandContext context) {
        String text = context.arguments().positionals().get(0);
        if (!text.equals(LAST)) {
            return of(seams, context, id(text));
        }
        return newest(seams, context, ApprovalQuery.pending(""))
                .or(() -> newest(seams, context, ApprovalQuery.ALL))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no approval request that you may see."));
    }

    private static Optional<ApprovalView> newest(
            Seams seams, CommandContext context, ApprovalQuery query) {
        ApprovalView newest = null;
        List<ApprovalView> page;
        do {
            String after = newest == null ? "" : newest.approvalId();
            page = seams.approvals().call(all -> all.list(context.principal(), query, after, PAGE));
            newest = page.isEmpty() ? newest : page.get(page.size() - 1);
        } while (page.size() == PAGE);
        return Optional.ofNullable(newest);
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
