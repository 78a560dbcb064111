package palyra.shell.internal.approvals;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code approvals decide ID}: answers an approval request. The first answer wins. */
@Component(service = Command.class)
public final class ApprovalsDecideCommand extends ShellCommand implements AuthorizesEachResource {
    private static final List<String> SCOPES =
            Stream.of(ApprovalScope.values())
                    .map(scope -> scope.name().toLowerCase(Locale.ROOT))
                    .toList();
    private static final List<String> OF_A_YES = List.of("scope", "for", "pattern", "uses");
    private static final int MOST_USES = 1_000_000;

    private final Seams seams;

    @Activate
    public ApprovalsDecideCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals decide",
                        "Answers an approval request: yes or no. The first answer wins.",
                        """
                        A yes covers this call only, unless --scope says more and the question
                        offers it; palyra approvals show ID lists what each option covers. The
                        model gets the reason of a no.
                        Exit code 0: the answer counts; 1: the request was answered before.\
                        """,
                        "approval.decide",
                        List.of(
                                OptionSpec.flag("allow", "Yes"),
                                OptionSpec.flag("deny", "No"),
                                OptionSpec.choice("scope", "S", "How far a yes reaches", SCOPES),
                                OptionSpec.value(
                                        "for", "TIME", "How long a timeboxed yes holds, as 2h"),
                                OptionSpec.flag(
                                        "pattern", "Cover all calls of the pattern that is shown"),
                                OptionSpec.value(
                                        "uses", "N", "How many calls a yes covers at most"),
                                OptionSpec.value("reason", "TEXT", "Why")),
                        List.of(ApprovalIds.ID_OR_SHOWN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        if (given.flag("allow") == given.flag("deny")) {
            throw wrong("takes either --allow or --deny");
        }
        String id = ApprovalIds.answered(seams, context);
        ApprovalAnswer answer = given.flag("allow") ? yes(context, id) : no(given, id);
        ApprovalView after = seams.approvals().call(a -> a.decide(context.principal(), answer));
        tell(context, after);
        return ExitCodes.OK;
    }

    private static PalyraException wrong(String expected) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT, "palyra approvals decide " + expected + ".");
    }

    private static ApprovalAnswer no(CommandArguments given, String id) {
        for (String option : OF_A_YES) {
            if (given.option(option).isPresent()) {
                throw wrong("takes --" + option + " with --allow alone");
            }
        }
        return new ApprovalAnswer(
                id, false, ApprovalScope.ONCE, GrantShape.EXACT, 0, 0, reason(given));
    }

    private ApprovalAnswer yes(CommandContext context, String id) {
        CommandArguments given = context.arguments();
        ApprovalScope scope = scope(given);
        GrantShape shape = given.flag("pattern") ? GrantShape.PATTERN : GrantShape.EXACT;
        Optional<Long> time = given.option("for").map(text -> Words.millis(text, "for"));
        if (scope != ApprovalScope.TIMEBOXED && time.isPresent()) {
            throw wrong("takes --for with --scope timeboxed alone");
        }
        if (scope == ApprovalScope.ONCE && shape == GrantShape.PATTERN) {
            throw wrong("takes --pattern with --scope session or timeboxed");
        }
        long ttl =
                scope == ApprovalScope.TIMEBOXED
                        ? time.orElseGet(() -> offered(context, id, shape))
                        : 0;
        int uses = given.number("uses", 0, 0, MOST_USES);
        return new ApprovalAnswer(id, true, scope, shape, ttl, uses, reason(given));
    }

    private static ApprovalScope scope(CommandArguments given) {
        ApprovalScope otherwise =
                given.option("for").isPresent() ? ApprovalScope.TIMEBOXED : ApprovalScope.ONCE;
        return given.option("scope")
                .map(word -> ApprovalScope.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(otherwise);
    }

    /** Returns the time that the question's own option has. */
    private long offered(CommandContext context, String id, GrantShape shape) {
        return ApprovalIds.of(seams, context, id).prompt().options().stream()
                .filter(option -> option.granted() && option.shape() == shape)
                .filter(option -> option.scope() == ApprovalScope.TIMEBOXED)
                .mapToLong(ApprovalOption::ttlMillis)
                .filter(millis -> millis > 0)
                .findFirst()
                .orElseThrow(() -> wrong("needs --for TIME, such as --for 2h, with this scope"));
    }

    private static String reason(CommandArguments given) {
        return given.option("reason").orElse("");
    }

    private static void tell(CommandContext context, ApprovalView after) {
        if (context.json()) {
            context.output().fields(ApprovalText.forProgram(after));
            return;
        }
        boolean open = after.state() == ApprovalState.PENDING;
        context.output()
                .fields(
                        Fields.of(
                                "approval", after.approvalId(),
                                "question", EscapedText.line(after.prompt().title()),
                                "outcome",
                                        open
                                                ? "your yes is "
                                                        + after.votes().size()
                                                        + " of "
                                                        + after.quorum()
                                                        + "; the question stays open"
                                                : ApprovalText.outcome(after)));
        if (!after.outcome().grantId().isEmpty() && after.outcome().scope() != ApprovalScope.ONCE) {
            context.output()
                    .note(
                            "Take it back with: palyra approvals revoke "
                                    + after.outcome().grantId());
        }
    }
}
