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
import palyra.api.console.Value;
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
                requests(
                        ask(request.principal(), CommandWords.of("approvals list")),
                        "No approval request is pending. When a policy asks a person before a call"
                                + " runs, the request appears here."));
        blocks.add(
                new Block.Details(
                        "Answered requests",
                        List.of(
                                requests(
                                        ask(
                                                request.principal(),
                                                CommandWords.of("approvals list")
                                                        .flag("all")
                                                        .option("limit", "200")),
                                        "No approval request was answered yet."))));
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

    private static Block requests(JsonNode rows, String empty) {
        return Documents.table(
                rows,
                empty,
                new Documents.Column("Question", ApprovalsPanel::question),
                new Documents.Column("State", row -> Documents.state(word(row.path("state")))),
                Documents.text("For", "for"),
                new Documents.Column("Risk", row -> Value.text(word(row.path("risk")))),
                Documents.time("Asked", "asked"),
                Documents.time("Open until", "expires"),
                new Documents.Column(
                        "Yes",
                        row ->
                                Value.text(
                                        row.path("yes").asInt()
                                                + " of "
                                                + Math.max(1, row.path("quorum").asInt()))),
                Documents.link("Run", "run", "/console/runs/"));
    }

    private static Value question(JsonNode row) {
        String id = Documents.plain(row.path("approval"));
        String text = Documents.plain(row.path("question"));
        return new Value.Link(text.isBlank() ? id : text, HOME + Documents.segment(id));
    }

    private PanelPage question(PanelRequest request) {
        JsonNode view =
                ask(
                        request.principal(),
                        CommandWords.of("approvals show").argument(request.path()));
        boolean pending =
                view.path("state").asText().toLowerCase(Locale.ROOT).startsWith("pending");
        List<Block> blocks = new ArrayList<>();
        String warning = ForeignLetters.warning(view.path("details"));
        if (pending && !warning.isEmpty()) {
            blocks.add(new Block.Notice(Level.WARNING, warning, ForeignLetters.REMEDY));
        }
        blocks.add(new Block.Heading("What is asked"));
        blocks.add(
                new Block.Preformatted(
                        Documents.plain(view.path("prompt").path("title")),
                        Documents.plain(view.path("prompt").path("summary"))));
        blocks.add(new Block.Facts(facts(view)));
        if (pending) {
            blocks.add(
                    Documents.table(
                            view.path("prompt").path("options"),
                            "An answer covers this request alone.",
                            Documents.text("Answer", "label"),
                            Documents.text("What it covers", "description")));
            blocks.add(new Block.Heading("Your answer"));
            blocks.add(yes());
            blocks.add(no());
        }
        blocks.add(new Block.Details("All that is recorded of it", Documents.blocks(view)));
        return new PanelPage(
                title(view), "Approval request " + request.path(), blocks, List.of("approval"));
    }

    private static List<Block.Fact> facts(JsonNode view) {
        JsonNode origin = view.path("origin");
        JsonNode prompt = view.path("prompt");
        String run = Documents.plain(origin.path("runId"));
        List<Block.Fact> facts = new ArrayList<>();
        fact(facts, "State", Documents.state(word(view.path("state"))));
        fact(facts, "For", Value.text(Documents.plain(origin.path("principal"))));
        fact(facts, "Agent", Value.text(Documents.plain(origin.path("agentId"))));
        if (!run.isEmpty()) {
            fact(facts, "Run", new Value.Link(run, "/console/runs/" + Documents.segment(run)));
        }
        fact(facts, "Risk", Value.text(word(prompt.path("risk"))));
        fact(facts, "Why", Value.text(Documents.plain(prompt.path("policyExplanation"))));
        fact(
                facts,
                "Yes so far",
                Value.text(
                        view.path("votes").size()
                                + " of "
                                + Math.max(1, view.path("quorum").asInt())));
        fact(facts, "Asked", time(view, "createdAtMillis"));
        fact(facts, "Open until", time(view, "expiresAtMillis"));
        return facts;
    }

    private static void fact(List<Block.Fact> facts, String name, Value value) {
        facts.add(new Block.Fact(name, value));
    }

    private static String word(JsonNode constant) {
        return Documents.plain(constant).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static Value time(JsonNode view, String field) {
        return view.path(field).asLong() > 0
                ? Documents.time(view.path(field))
                : Value.text("unknown");
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
