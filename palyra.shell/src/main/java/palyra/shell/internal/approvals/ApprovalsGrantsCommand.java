package palyra.shell.internal.approvals;

import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantView;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code approvals grants}: grants and the calls they cover. */
@Component(service = Command.class)
public final class ApprovalsGrantsCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;

    private static final List<String> HEADINGS =
            List.of(
                    "Grant",
                    "State",
                    "Scope",
                    "Shape",
                    "Used",
                    "Until",
                    "For",
                    "Agent",
                    "Given by",
                    "Covers");
    private static final List<String> JSON_HEADINGS =
            List.of(
                    "Grant",
                    "State",
                    "Ended by",
                    "Scope",
                    "Shape",
                    "Used",
                    "Max uses",
                    "Expires",
                    "For",
                    "Agent",
                    "Given by",
                    "Covers");

    private final Seams seams;

    @Activate
    public ApprovalsGrantsCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals grants",
                        "Lists the grants of approvals and whether they still cover calls.",
                        "Without --all only grants that cover calls now.",
                        "approval.list",
                        List.of(
                                OptionSpec.value("session", "ID", "Only those of this session"),
                                OptionSpec.flag("all", "Those that ended too"),
                                OptionSpec.value("after", "ID", "Only those made after this one"),
                                OptionSpec.value("limit", "N", "How many, 1 to 500 (100)")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        int limit = given.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        String session = given.option("session").map(id -> Words.id(id, "session id")).orElse("");
        String after = given.option("after").map(id -> Words.id(id, "grant id")).orElse("");
        boolean active = !given.flag("all");
        List<GrantView> found =
                seams.approvals()
                        .call(a -> a.grants(context.principal(), session, active, after, limit));
        boolean json = context.json();
        context.output()
                .table(
                        json ? JSON_HEADINGS : HEADINGS,
                        found.stream().map(grant -> row(grant, json)).toList());
        if (found.isEmpty()) {
            context.output().note(active ? "No grant covers calls now." : "No grant found.");
        }
        return ExitCodes.OK;
    }

    private static List<?> row(GrantView grant, boolean json) {
        List<Object> row = new ArrayList<>();
        row.add(grant.grantId());
        if (json) {
            row.add(grant.state().name());
            row.add(grant.endedBy());
        } else {
            row.add(
                    grant.state().name()
                            + (grant.endedBy().isEmpty() ? "" : " by " + grant.endedBy()));
        }
        row.add(grant.scope().name());
        row.add(grant.shape().name());
        if (json) {
            row.add(grant.uses());
            row.add(grant.maxUses() > 0 ? grant.maxUses() : null);
            row.add(grant.expiresAtMillis() > 0 ? Words.time(grant.expiresAtMillis()) : null);
        } else {
            row.add(grant.uses() + (grant.maxUses() > 0 ? " of " + grant.maxUses() : ""));
            row.add(until(grant));
        }
        row.add(grant.principal());
        row.add(grant.agentId());
        row.add(grant.grantedBy());
        row.add(EscapedText.line(grant.covers()));
        return row;
    }

    private static String until(GrantView grant) {
        if (grant.expiresAtMillis() > 0) {
            return Words.time(grant.expiresAtMillis());
        }
        if (grant.tool().equals(PairingApprovals.ACTION)) {
            return "it is revoked";
        }
        return grant.scope() == ApprovalScope.SESSION ? "end of session" : "";
    }
}
