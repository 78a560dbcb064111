package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.web.ForeignLetters;

/** Approval requests: what would run, and the answer of a person. */
final class ApprovalsPanel extends CommandPanel {
    private static final String HOME = "/console/panel/approvals/";

    ApprovalsPanel(Commands commands) {
        super(
                new PanelSpec(
                        "approvals", "Approvals", PanelSpec.Section.WORK, 10, "approval.list"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        return request.path().isEmpty() ? inbox(request) : question(request);
    }

    private PanelPage inbox(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("approvals list")),
                        "No approval request is pending. When a policy asks a person before a call"
                                + " runs, the request appears here.",
                        "approval",
                        HOME));
        blocks.add(
                new Block.Details(
                        "Answered requests",
                        List.of(
                                Documents.list(
                                        ask(
                                                request.principal(),
                                                CommandWords.of("approvals list")
                                                        .flag("all")
                                                        .option("limit", "200")),
                                        "No approval request was answered yet.",
                                        "approval",
                                        HOME))));
        blocks.add(new Block.Heading("Grants in force"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("approvals grants")),
                        "No grant covers calls now. A yes that reaches further than one call makes"
                                + " one.",
                        "",
                        ""));
        blocks.add(
                button(
                        "revoke",
                        "Revoke a grant",
                        "approval.revoke",
                        "",
                        Block.Field.line("grant", "Id of the grant"),
                        optional("reason", "Reason", "")));
        return new PanelPage(
                "Approval requests",
                "Calls that wait for a person. The exact thing to be allowed is behind each.",
                blocks,
                List.of("approval"));
    }

    private PanelPage question(PanelRequest request) {
        JsonNode view =
                ask(
                        request.principal(),
                        CommandWords.of("approvals show").argument(request.path()));
        List<Block> blocks = new ArrayList<>(Documents.blocks(view));
        if (view.path("state").asText().toLowerCase(Locale.ROOT).startsWith("pending")) {
            blocks.add(1, new Block.Heading("Your answer"));
            blocks.add(2, yes());
            blocks.add(3, no());
            String warning = ForeignLetters.warning(view.path("details"));
            if (!warning.isEmpty()) {
                blocks.add(1, new Block.Notice(Level.WARNING, warning, ForeignLetters.REMEDY));
            }
        }
        return new PanelPage(
                title(view), "Approval request " + request.path(), blocks, List.of("approval"));
    }

    private static String title(JsonNode view) {
        String summary = Documents.plain(view.path("requestSummary"));
        return summary.isBlank() ? "Approval request" : summary;
    }

    private static Block.Form yes() {
        return button(
                "allow",
                "Allow",
                "approval.decide",
                "",
                choice("scope", "How far the yes reaches", List.of("once", "session", "timeboxed")),
                optional("hold", "How long a timeboxed yes holds", "Such as 2h."),
                optional("uses", "How many calls it covers at most", "Empty for no bound."),
                new Block.Field(
                        "pattern",
                        "Cover all calls of the pattern that is shown",
                        Block.FieldKind.CHECK,
                        "",
                        List.of(),
                        "",
                        false));
    }

    private static Block.Form no() {
        return button(
                "deny",
                "Deny",
                "approval.decide",
                "",
                optional("reason", "Reason", "The model is told it."));
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        if (given.form().equals("revoke")) {
            return change(
                    given,
                    "",
                    "",
                    CommandWords.of("approvals revoke")
                            .option("reason", given.field("reason"))
                            .argument(given.field("grant")));
        }
        CommandWords words = CommandWords.of("approvals decide").flag(given.form());
        if (given.form().equals("allow")) {
            words.option("scope", given.field("scope"))
                    .option("for", given.field("hold"))
                    .option("uses", given.field("uses"));
            if (given.field("pattern").equals("true")) {
                words.flag("pattern");
            }
        } else {
            words.option("reason", given.field("reason"));
        }
        return change(given, "", given.path(), words.argument(given.path()));
    }
}
