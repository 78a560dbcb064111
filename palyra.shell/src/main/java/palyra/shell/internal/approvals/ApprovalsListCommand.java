package palyra.shell.internal.approvals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.RunIds;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code approvals list}: pending approval requests, or all. */
@Component(service = Command.class)
public final class ApprovalsListCommand extends ShellCommand implements AuthorizesEachResource {
    static final List<String> STATES =
            Stream.of(ApprovalState.values())
                    .map(state -> state.name().toLowerCase(Locale.ROOT))
                    .toList();
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;

    private static final List<String> HEADINGS =
            List.of("Approval", "State", "Risk", "Asked", "Left", "Yes", "For", "Run", "Question");
    private static final List<String> JSON_HEADINGS =
            List.of(
                    "Approval",
                    "State",
                    "Risk",
                    "Asked",
                    "Expires",
                    "Yes",
                    "Quorum",
                    "For",
                    "Run",
                    "Question");

    private final Seams seams;

    @Activate
    public ApprovalsListCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals list",
                        "Lists pending approval requests, oldest first.",
                        "Without --state and --all only pending ones.",
                        "approval.list",
                        List.of(
                                OptionSpec.choice("state", "S", "Only those in this state", STATES),
                                OptionSpec.value("run", "ID", "Only those of this run, or last"),
                                OptionSpec.value("session", "ID", "Only those of this session"),
                                OptionSpec.flag("all", "Answered ones too"),
                                OptionSpec.value("after", "ID", "Only those asked after this one"),
                                OptionSpec.value("limit", "N", "How many, 1 to 500 (100)")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        if (given.flag("all") && given.option("state").isPresent()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "palyra approvals list takes either --state or --all, not both.");
        }
        int limit = given.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        String after = given.option("after").map(id -> Words.id(id, "question")).orElse("");
        ApprovalQuery query = query(context);
        List<ApprovalView> found =
                seams.approvals().call(a -> a.list(context.principal(), query, after, limit));
        write(context, found);
        if (found.size() == limit) {
            context.output()
                    .note("There may be more: --after " + found.get(found.size() - 1).approvalId());
        }
        return ExitCodes.OK;
    }

    private ApprovalQuery query(CommandContext context) {
        CommandArguments given = context.arguments();
        Optional<ApprovalState> state =
                given.flag("all")
                        ? Optional.empty()
                        : ApprovalIds.state(context).or(() -> Optional.of(ApprovalState.PENDING));
        return new ApprovalQuery(
                state,
                Optional.empty(),
                "",
                "",
                given.option("run").map(run -> RunIds.of(run, context, seams)).orElse(""),
                given.option("session").map(id -> Words.id(id, "session id")).orElse(""),
                0,
                0);
    }

    private static void write(CommandContext context, List<ApprovalView> found) {
        long now = System.currentTimeMillis();
        boolean json = context.json();
        List<List<?>> rows = new ArrayList<>();
        for (ApprovalView view : found) {
            List<Object> row = new ArrayList<>();
            row.add(view.approvalId());
            row.add(view.state().name());
            row.add(view.prompt().risk().name());
            row.add(Words.time(view.createdAtMillis()));
            if (json) {
                row.add(Words.time(view.expiresAtMillis()));
                row.add(view.votes().size());
                row.add(view.quorum());
            } else {
                row.add(left(view, now));
                row.add(view.votes().size() + "/" + view.quorum());
            }
            row.add(view.origin().principal());
            row.add(view.runId());
            row.add(EscapedText.line(view.requestSummary()));
            rows.add(row);
        }
        context.output().table(json ? JSON_HEADINGS : HEADINGS, rows);
        if (rows.isEmpty()) {
            context.output().note("No approval request is pending.");
        }
    }

    private static String left(ApprovalView view, long now) {
        return view.state() == ApprovalState.PENDING
                ? Words.duration(view.expiresAtMillis() - now)
                : "";
    }
}
